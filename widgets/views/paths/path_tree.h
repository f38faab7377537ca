#pragma once

#include <QWidget>

#include "model/analysis/output/decode_paths.h"
#include "widgets/controls/step_axis.h"
#include "widgets/view_context.h"
#include "widgets/views/paths/path_words.h"

#include <memory>
#include <optional>

class QLineEdit;

namespace headscope::widgets {

/// The paths of a decode tree below each other, a row of which shows the shown one, and others only where
/// they leave it. Draws them, on the screen and in figures.
class PathDrawing {
  public:
    /// What is drawn; `document` outlives this.
    void set(const DocumentState* document, analysis::PathsOf which, PathScore score, bool spaceMarks,
             const QFont& font);
    bool isEmpty() const { return paths_.rows.empty(); }
    const analysis::PathRows& paths() const { return paths_; }
    const StepColumns& columns() const { return columns_; }
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    QString titleOf(std::size_t row) const { return pathTitle(*document_, *run_, paths_, row); }
    QString stateOf(std::size_t row) const { return pathState(*run_, paths_, row); }

    double rowHeight() const;
    /// With the line that says how many rows are folded.
    double height() const;
    std::optional<std::size_t> rowAt(double y) const;
    /// Behind the last token of a dropped path.
    QRectF scissorsArea(std::size_t row, const StepColumns& at) const;
    QRectF chipArea(std::size_t row, std::size_t column, const StepColumns& at) const;
    QRectF labelArea(std::size_t row) const;

    /// Where a drawing is, and what is marked in it.
    struct View {
        StepColumns at;   ///< names and scores are not scrolled with them
        double right = 0; ///< of the columns in sight
        std::optional<std::size_t> current;
        std::optional<std::size_t> selected;
        bool hasDots = false; ///< of the shown path, whose tokens are elsewhere; else they are written
    };
    void draw(QPainter& painter, const View& view, const Theme& theme) const;

  private:
    void drawLabel(QPainter& painter, std::size_t row, bool isSelected, const Theme& theme) const;
    void drawLines(QPainter& painter, std::size_t row, const StepColumns& at, const Theme& theme) const;
    void drawChips(QPainter& painter, std::size_t row, const View& view, const Theme& theme) const;
    void drawDots(QPainter& painter, const View& view, const Theme& theme) const;
    double middleOf(std::size_t row) const;
    /// The tokens that a row draws begin here.
    std::size_t firstOf(const analysis::PathRow& row) const { return row.from ? row.fork : 0; }

    const DocumentState* document_ = nullptr;
    std::shared_ptr<const trace::Run> run_;
    analysis::PathRows paths_;
    StepColumns columns_;
    PathScore score_ = PathScore::Total;
    bool spaceMarks_ = true;
    QFont font_;
};

/// The drawing on the screen. Up and Down go through rows.
class PathTree : public QWidget {
    Q_OBJECT

  public:
    /// Columns are as wide as those of `view`. Both outlive this.
    PathTree(QWidget* view, Selection* selection, QWidget* parent);

    /// Keeps the selected path as long as there is one.
    void show(const PathDrawing& drawing);
    /// The tokens of the shown path are not written.
    void setDots(bool has);
    const PathDrawing& drawing() const { return drawing_; }
    /// 0: the shown path.
    std::size_t selected() const { return selected_; }
    void select(std::size_t row);
    /// Puts a field in the place of the row's name.
    void rename(std::size_t row);
    QSize sizeHint() const override;

  Q_SIGNALS:
    void rowSelected();
    void rowShown(std::size_t row);
    void rowRemoved(std::size_t row);
    void rowRenamed(std::size_t row, const QString& name);
    void stepChosen(int step);
    void stepped(bool forward);
    void foldingWanted();
    void described(const QString& words);

  protected:
    bool event(QEvent* event) override;
    /// Enter and Esc in the field of the name end there.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QString wordsAt(QPointF position) const;
    void endRenaming(bool isGiven);

    StepAxis axis_;
    PathDrawing drawing_;
    std::size_t selected_ = 0;
    bool hasDots_ = false;
    QLineEdit* name_;
};

} // namespace headscope::widgets

#pragma once

#include <QWidget>

#include "widgets/views/architecture/architecture_drawing.h"
#include "widgets/views/architecture/architecture_facts.h"
#include "widgets/views/architecture/architecture_layout.h"

#include <optional>
#include <set>
#include <string>

class QScrollBar;

namespace headscope::widgets {

/// The figure of a model, folded and unfolded block by block. The wheel zooms, dragging and the scroll bar
/// move; arrow keys go along the pass and between the columns, Enter, + and - fold.
class ArchitectureDiagram : public QWidget {
    Q_OBJECT

  public:
    /// `facts` outlives the diagram; whoever changes them says so.
    explicit ArchitectureDiagram(const ArchitectureFacts& facts, QWidget* parent = nullptr);

    /// Another model: folded again.
    void modelChanged();
    /// Another sentence, step or number.
    void factsChanged();

    /// The block whose numbers are shown; null where no model is open.
    const analysis::ArchitectureBlock* current() const;
    /// The block, else the smallest folded one that it is in.
    void setCurrent(const std::string& role);
    bool isUnfolded(const std::string& role) const { return unfolded_.contains(role); }
    void setUnfolded(const std::string& role, bool unfolded);
    const std::set<std::string>& unfolded() const { return unfolded_; }
    /// The figure's corner on the widget, x and y, and its scale, where a person moved or zoomed; else empty.
    std::vector<double> zoom() const;
    /// The reverse; whatever is no such zoom fits the figure.
    void setZoom(const std::vector<double>& zoom);
    /// Where a block stands on the widget; empty if it is in a folded one.
    QRectF areaOf(const std::string& role) const;
    const ArchitectureLayout& layoutOfBlocks() const { return layout_; }
    /// The same with all that labels can say, for a page.
    ArchitectureLayout wholeLayout() const;

    QSize sizeHint() const override { return {640, 480}; }

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown);
    void fit();

  Q_SIGNALS:
    /// The cursor stands on another block, or on the same one after a fold.
    void currentChanged();
    /// A person chose a block.
    void chosen(const std::string& role);
    /// What is under the pointer, in a line; empty for nothing.
    void blockDescribed(const QString& words);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void layOut();
    bool needsLetters() const;
    double readableScale() const;
    double fittingScale() const;
    void moveTo(QPointF offset, double scale);
    void bringIntoSight(std::size_t box);
    void step(int along, int across);
    void choose(std::size_t box);
    void fold(bool unfold);
    void setHovered(std::optional<std::size_t> box);
    void describe(std::optional<std::size_t> box);
    std::optional<std::size_t> currentBox() const { return layout_.nearestTo(current_); }
    QRectF picture() const;
    QPointF toFigure(QPointF point) const { return (point - offset_) / scale_; }

    const ArchitectureFacts& facts_;
    ArchitectureLayout layout_;
    std::set<std::string> unfolded_;
    std::string current_;
    QScrollBar* bar_;
    QPointF offset_; ///< of the figure's corner on the widget
    double scale_ = 1;
    double wholeWidth_ = 0;   ///< of the layout with whole labels
    bool hasLetters_ = false; ///< instead of whole labels
    bool fitted_ = true;      ///< until a person moves or zooms
    std::optional<std::size_t> hovered_;
    bool isSaid_ = false; ///< a block, by blockDescribed()
    std::optional<QPointF> dragFrom_;
    bool dragged_ = false;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets

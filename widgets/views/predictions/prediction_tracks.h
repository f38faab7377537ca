#pragma once

#include "model/trace/run.h"
#include "widgets/controls/step_axis.h"
#include "widgets/drawing/token_label.h"
#include "widgets/figure_blocks.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/view_context.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// What an encoder alone predicts, with a column for each token of its text: a track for each rank of the
/// masks' candidates or of the labels of tokens, or bars of the probabilities that tokens were replaced, or
/// that an answer starts and ends there.
class PredictionTracks : public QWidget, public ReadableMap {
    Q_OBJECT

  public:
    static constexpr int ranks = 5;
    /// More probably replaced than not.
    static constexpr double replacedLimit = DocumentState::replacedAbove;

    /// `selection` must outlive this; its step is the mask, in the order of the text.
    explicit PredictionTracks(Selection* selection, QWidget* parent);

    void setRun(std::shared_ptr<const trace::Run> run);
    void setSpaceMarksShown(bool shown);
    bool hasMasks() const { return !masks_.empty(); }
    bool isEmpty() const { return !run_ || (masks_.empty() && bars_.empty()); }
    /// Positions of the masks, or of the labelled tokens.
    const std::vector<std::size_t>& masks() const { return masks_; }
    /// The selected candidate, with the position of its mask; null: none is.
    const trace::Candidate* chosen() const;
    std::size_t chosenPosition() const;
    void choose(std::size_t mask, int rank);
    FigureBlock block(bool isMarked) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    int rowCount() const override;
    int columnCount() const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;

  Q_SIGNALS:
    void chosenChanged();
    /// Double click or Enter on a candidate.
    void entered();
    void described(const QString& words);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// There may be fewer labels than `ranks`.
    int rankCount() const;
    /// A probability of each token.
    struct Bars {
        QString name;
        std::vector<double> probabilities;
        double high = 0; ///< from here on they are marked
    };

    void layOut();
    void addBars();
    void drawBar(QPainter& painter, const QRectF& room, double probability, bool isHigh,
                 const Theme& theme) const;
    StepColumns columns() const;
    const std::vector<trace::Candidate>& candidatesAt(std::size_t position) const;
    std::optional<std::size_t> maskAt(std::size_t position) const;
    QRectF trackArea(int track) const;
    double tracksHeight() const;
    void drawNames(QPainter& painter, const StepColumns& at, const Theme& theme) const;
    /// `first`: the token of the first column.
    void drawTokens(QPainter& painter, const StepColumns& at, std::size_t first, bool isMarked,
                    const Theme& theme) const;
    TokenLabelStyle style() const { return {.font = font(), .spaceMarks = spaceMarks_}; }
    std::optional<MapCell> cellAt(QPointF position) const;

    Selection* selection_;
    StepAxis axis_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<TokenLabel> labels_; ///< of the text
    std::vector<std::size_t> masks_;
    std::vector<Bars> bars_; ///< if there are no masks
    int rank_ = 0;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets

#pragma once

#include "model/analysis/output/decode_paths.h"
#include "model/analysis/output/hesitation.h"
#include "model/trace/quantity_maps.h"
#include "widgets/controls/step_axis.h"
#include "widgets/map/accessible_map.h"
#include "widgets/selection.h"
#include "widgets/view.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope::widgets {

/// Shows where the model was uncertain, as tracks with a column a step: the probability of the chosen token,
/// the second choice, the entropy of the next-token distribution, and the share of the step that comes from
/// the source. Entropies need whole distributions, for which the run is computed again.
class HesitationView : public View, public ReadableMap {
    Q_OBJECT

  public:
    enum Track { Chosen, Probability, Second, Entropy, SourceShare, Tracks };

    /// `selection` must outlive the view.
    explicit HesitationView(Selection* selection, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const trace::Run> run) override;
    std::vector<trace::Wanted> questions() const override;
    void refresh() override;
    const std::vector<analysis::Hesitation>& steps() const { return steps_; }
    /// Of each step, 0 to 1; empty: not known.
    const std::vector<double>& sourceShares() const { return shares_; }
    QString caption() const;
    std::optional<trace::TokenIndex> stepAt(QPoint position) const override;

    std::optional<FigureBlocks> figureBlocks() const override;
    FigureText figureText() const override;
    std::optional<PictureOptions> picture(PictureOptions options) const override;
    bool hasFigure() const override { return !steps_.empty(); }
    trace::FigureData figureData() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

    int rowCount() const override { return hasShareTrack() ? Tracks : Tracks - 1; }
    int columnCount() const override { return columns().size(); }
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    QString cellInWords(MapCell cell) const override;
    QRect cellArea(MapCell cell) const override;
    std::optional<MapCell> cursorCell() const override;

  public Q_SLOTS:
    void setSpaceMarksShown(bool shown) override;

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void readSteps();
    void takeEntropies(const trace::Run& read);
    void layOut();
    /// The steps that have a column: those behind a prompt.
    std::span<const analysis::Hesitation> columns() const;
    std::optional<trace::Question> shareQuestion() const;
    bool hasShareTrack() const;
    /// Heights of the tracks, one below the other.
    QRectF trackArea(int track) const;
    double tracksHeight() const { return trackArea(rowCount() - 1).bottom() + 8; }
    void drawNames(QPainter& painter, const StepColumns& at, const Theme& theme) const;
    /// `first`: the step of the first column.
    void drawColumns(QPainter& painter, const StepColumns& at, std::size_t first,
                     std::optional<std::size_t> current, const Theme& theme) const;
    void drawColumn(QPainter& painter, const QRectF& column, std::size_t place, bool isCurrent,
                    const Theme& theme) const;
    void drawLimit(QPainter& painter, const StepColumns& at, double right, const Theme& theme) const;
    bool isUnsure(const analysis::Hesitation& step) const;
    QString stepInWords(std::size_t place) const;
    TokenLabelStyle style() const { return {.font = font(), .spaceMarks = spaceMarks_}; }

    Selection* selection_;
    StepAxis axis_;
    std::shared_ptr<const trace::Run> run_;
    std::vector<analysis::Hesitation> steps_;
    analysis::PathRows paths_;
    std::vector<double> shares_;
    std::shared_ptr<const trace::QuantityMaps> contributions_;
    /// The shown run again with whole distributions; empty if it has them.
    std::optional<trace::Question> reading_;
    std::weak_ptr<const trace::Run> read_; ///< its answer that the entropies are of
    QString whyNoEntropy_;
    bool spaceMarks_ = true;
};

} // namespace headscope::widgets

#pragma once

#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/training/training_points.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// A quantity measured repeatedly during a training.
struct TrainingCurve {
    QString name;
    int style = 0; ///< index of colour, dash pattern and mark; any two curves of a chart differ in all three
    bool marked = true;         ///< draw a mark at every point
    std::vector<double> values; ///< one per step; NaN: not measured
};

/// Curves over training steps, with a legend above.
struct TrainingChart {
    QString title;             ///< of the vertical axis
    QString whatFor;           ///< shown while there are no curves
    std::int64_t lastStep = 0; ///< shared by all charts, so that they can be compared below each other
    double most = 0;           ///< upper limit of the vertical axis; 0: none
    std::vector<std::int64_t> steps;
    std::vector<TrainingCurve> curves;
};

/// Returns three charts: losses; accuracy and BLEU, both of 100; entropies. Charts without values are
/// included.
std::vector<TrainingChart> trainingCharts(const std::vector<TrainingPoint>& points);

/// As a table: steps are rows, curves are columns.
class TrainingPicture : public PlotPicture {
  public:
    explicit TrainingPicture(TrainingChart chart) : chart_(std::move(chart)) {}

    int rows() const override { return static_cast<int>(chart_.steps.size()); }
    int columns() const override { return static_cast<int>(chart_.curves.size()); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;

  private:
    PlotFrame frame(const QRectF& area, const QFont& font) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;
    double value(MapCell mark) const;
    void drawCurve(QPainter& painter, const PlotFrame& axes, const TrainingCurve& curve,
                   const Theme& theme) const;

    TrainingChart chart_;
};

} // namespace headscope::widgets

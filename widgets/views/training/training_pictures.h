#pragma once

#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/training/training_points.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Something measured again and again while a training goes on.
struct TrainingCurve {
    QString name;
    int style = 0;              ///< of colour, dashes and marks; each differs from the others in all three
    bool marked = true;         ///< a mark on every point
    std::vector<double> values; ///< one a step; NaN: not measured
};

/// Curves over the steps of a training, with a legend above.
struct TrainingChart {
    QString title;             ///< of the axis
    QString whatFor;           ///< what it will show, as long as there is nothing
    std::int64_t lastStep = 0; ///< of all charts: they are read one below the other
    double most = 0;           ///< the axis goes no further; 0: as far as the curves do
    std::vector<std::int64_t> steps;
    std::vector<TrainingCurve> curves;
};

/// Losses; what is of 100, accuracy and BLEU; entropies. Charts without a value are there too.
std::vector<TrainingChart> trainingCharts(const std::vector<TrainingPoint>& points);

/// Steps are rows of the table, curves its columns.
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

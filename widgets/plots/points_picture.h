#pragma once

#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/plots/readable_plot.h"

#include <functional>
#include <vector>

namespace headscope::widgets {

/// A series of marks, one for each of 0, 1, 2, ...
struct PointRow {
    QString name;               ///< for the legend, which is drawn if there are several series
    std::vector<double> values; ///< positive; other values have no mark
    std::vector<bool> hollow;   ///< [values]; empty: all marks are filled
};

struct Points {
    std::vector<PointRow> rows;
    QString xTitle;
    QString yTitle;
    std::function<QString(MapCell)> describe; ///< describes a mark by its series and index
};

/// Points over a logarithmic axis. Series differ in colour and shape.
class PointsPicture : public PlotPicture {
  public:
    explicit PointsPicture(Points points);

    const Points& points() const { return points_; }

    int rows() const override { return static_cast<int>(points_.rows.size()); }
    int columns() const override;
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    /// Full height of the plot if the value has no mark.
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    /// The nearest column, and in it the nearest series.
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override { return points_.rows[static_cast<std::size_t>(row)].name; }
    QString columnName(int column) const override { return QString::number(column); }

  private:
    std::vector<LegendEntry> legend(const Theme& theme) const;
    PlotFrame frame(const QRectF& area, const QFont& font) const;
    double radius(const PlotFrame& axes) const;
    /// 0 if there is no mark.
    double value(MapCell mark) const;

    Points points_;
    PlotAxis up_;
};

} // namespace headscope::widgets

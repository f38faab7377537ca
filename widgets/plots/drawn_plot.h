#pragma once

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/plots/plot.h"
#include "widgets/plots/readable_plot.h"

#include <memory>

namespace headscope::widgets {

/// The colour of what has no number on a scale.
QColor colourOf(const PlotInk& ink, const Theme& theme);

/// Draws a Plot with QCustomPlot, which records it once for each size, font and theme.
class DrawnPlot : public PlotPicture {
  public:
    explicit DrawnPlot(Plot plot) : plot_(std::move(plot)) {}

    const Plot& plot() const { return plot_; }

    int rows() const override { return plot_.rows.size(); }
    int columns() const override { return plot_.columns.size(); }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    /// The height of the panel if there is no value.
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> towards(int key, MapCell from, const QRectF& area,
                                   const QFont& font) const override;
    QString card(MapCell mark) const override {
        return plot_.card ? plot_.card(mark) : PlotPicture::card(mark);
    }
    QString inWords(MapCell mark) const override { return plot_.words ? plot_.words(mark) : QString(); }
    QString rowName(int row) const override { return plot_.rows[row].name; }
    QString columnName(int column) const override { return plot_.columns[column]; }

    /// Where the values of a panel are.
    QRectF panel(int index, const QRectF& area, const QFont& font) const;

  private:
    struct Drawn;
    std::shared_ptr<const Drawn> drawn(QSize size, const QFont& font, const Theme* theme,
                                       RecordedDrawing::Target target) const;
    /// Without the room of the colour scale.
    QRectF withoutBar(const QRectF& area, const QFont& font) const;
    QRectF placeOf(const PlotRow& row, QPointF value, const QRectF& panel) const;

    Plot plot_;
    mutable std::shared_ptr<const Drawn> drawn_; ///< the last
};

} // namespace headscope::widgets

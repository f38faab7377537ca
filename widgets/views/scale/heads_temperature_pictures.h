#pragma once

#include "model/analysis/scores/heads_at_temperature.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/plots/readable_plot.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Statistics of the rows of each head at a temperature, one column per head.
class HeadsPicture : public PlotPicture {
  public:
    enum class Shown {
        Entropy, ///< mark: mean; line: least to most; stroke: uniform attention
        Hard,    ///< mean weight of the key with the largest score
    };
    /// `chosen`: the highlighted head, if any.
    HeadsPicture(std::vector<analysis::HeadAtTemperature> heads, Shown shown,
                 std::optional<trace::HeadAddress> chosen);

    int rows() const override { return shown_ == Shown::Entropy ? 4 : 1; }
    int columns() const override { return static_cast<int>(heads_.size()); }
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
    void drawHead(QPainter& painter, const PlotFrame& axes, int column, const Theme& theme) const;

    std::vector<analysis::HeadAtTemperature> heads_;
    Shown shown_;
    std::optional<trace::HeadAddress> chosen_;
};

/// The mean entropy of each head's rows over the temperature.
class HeadCurvesPicture : public PlotPicture {
  public:
    HeadCurvesPicture(std::vector<analysis::HeadCurve> curves, double temperature,
                      std::optional<trace::HeadAddress> chosen);

    int rows() const override { return static_cast<int>(curves_.size()); }
    int columns() const override {
        return curves_.empty() ? 0 : static_cast<int>(curves_.front().curve.temperatures.size());
    }
    void draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const override;
    QRectF place(MapCell mark, const QRectF& area, const QFont& font) const override;
    std::optional<MapCell> at(QPointF point, const QRectF& area, const QFont& font) const override;
    QString inWords(MapCell mark) const override;
    QString rowName(int row) const override;
    QString columnName(int column) const override;
    const trace::HeadAddress& headOf(MapCell mark) const {
        return curves_[static_cast<std::size_t>(mark.row)].head;
    }
    double temperatureAt(MapCell mark) const {
        return curves_.front().curve.temperatures[static_cast<std::size_t>(mark.column)];
    }

  private:
    PlotFrame frame(const QRectF& area, const QFont& font) const;
    std::vector<LegendEntry> legend(const Theme& theme) const;
    double bits(MapCell mark) const;

    std::vector<analysis::HeadCurve> curves_;
    double temperature_;
    std::optional<trace::HeadAddress> chosen_;
};

} // namespace headscope::widgets

#include "widgets/views/positions/position_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headscope::widgets {

Plot marksPlot(const std::vector<PositionMarks>& rows, const QString& across, const QString& up) {
    constexpr std::array marks{PlotMark::Disc, PlotMark::Square};
    Plot plot;
    std::vector<double> all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto& [name, values, isHollow] = rows[row];
        PlotRow read{.name = name};
        std::array<PlotSeries, 2> drawn; // filled and hollow marks
        drawn.fill({.ink = static_cast<int>(row), .line = 0, .mark = marks.at(row)});
        drawn[1].hollow = true;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool isKnown = values[i] > 0 && std::isfinite(values[i]);
            read.points.emplace_back(static_cast<double>(i),
                                     isKnown ? values[i] : std::numeric_limits<double>::quiet_NaN());
            drawn.at(isHollow[i] ? 1 : 0).points.push_back(read.points.back());
        }
        if (rows.size() > 1)
            drawn[0].name = name;
        for (PlotSeries& series : drawn)
            if (!series.points.empty())
                plot.series.push_back(std::move(series));
        plot.rows.push_back(std::move(read));
        all.insert(all.end(), values.begin(), values.end());
    }
    for (std::size_t i = 0; i < plot.rows.front().points.size(); ++i)
        plot.columns += QString::number(i);
    plot.across = {.least = -0.5,
                   .most = std::max(1.0, static_cast<double>(plot.columns.size())) - 0.5,
                   .title = across,
                   .whole = true};
    plot.up = {decadesAround(all, up)};
    return plot;
}

} // namespace headscope::widgets

#include "widgets/views/scale/heads_temperature_plots.h"

#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/scale/score_plots.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <limits>

namespace headscope::widgets {

namespace {

struct HeadsTemperatureWords {
    Q_DECLARE_TR_FUNCTIONS(HeadsTemperature)
};

constexpr double leastBits = 0.1; ///< minimum range of an axis, for rows without entropy

Qt::PenStyle dashOf(trace::AttentionKind kind) {
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    return dashes.at(kind);
}

/// Columns of the heads, with the chosen one and the ends of layers, and without values.
Plot columnsOf(const std::vector<analysis::HeadAtTemperature>& heads,
               std::optional<trace::HeadAddress> chosen) {
    Plot plot{.across = {.most = std::max(1.0, static_cast<double>(heads.size())),
                         .title = HeadsTemperatureWords::tr("heads, in order"),
                         .numbered = false}};
    for (std::size_t column = 0; column < heads.size(); ++column) {
        const auto at = static_cast<double>(column);
        plot.columns += address(heads[column].head);
        if (heads[column].head == chosen)
            plot.bands.push_back({.from = at, .to = at + 1, .framed = true});
        if (column > 0 && heads[column].head.site != heads[column - 1].head.site)
            plot.lines.push_back({.at = at, .ink = &Theme::line, .dash = Qt::DotLine});
    }
    return plot;
}

/// Adds marks of one quantity, a series for each kind of attention.
void addHeads(Plot& plot, const std::vector<analysis::HeadAtTemperature>& heads,
              double analysis::HeadAtTemperature::*member) {
    for (const auto& head : heads) {
        const auto kind = head.head.site.kind;
        const QString name = kindTitle(kind);
        if (std::ranges::find(plot.series, name, &PlotSeries::name) != plot.series.end())
            continue;
        PlotSeries marks = kindMarks(kind);
        for (std::size_t column = 0; column < heads.size(); ++column)
            if (heads[column].head.site.kind == kind)
                marks.points.emplace_back(static_cast<double>(column) + 0.5, heads[column].*member);
        plot.series.push_back(std::move(marks));
    }
}

void addRow(Plot& plot, const std::vector<analysis::HeadAtTemperature>& heads, const QString& name,
            double analysis::HeadAtTemperature::*member) {
    PlotRow row{.name = name};
    for (std::size_t column = 0; column < heads.size(); ++column)
        row.points.emplace_back(static_cast<double>(column) + 0.5, heads[column].*member);
    plot.rows.push_back(std::move(row));
}

QString rowsInWords(const analysis::HeadAtTemperature& head) {
    return head.rows == head.allRows
               ? HeadsTemperatureWords::tr("%1 rows").arg(head.rows)
               : HeadsTemperatureWords::tr("%1 of %2 rows").arg(head.rows).arg(head.allRows);
}

} // namespace

Plot headEntropiesPlot(const std::vector<analysis::HeadAtTemperature>& heads,
                       std::optional<trace::HeadAddress> chosen) {
    using Head = analysis::HeadAtTemperature;
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    Plot plot = columnsOf(heads, chosen);
    PlotSeries spans{
        .name = HeadsTemperatureWords::tr("least to most"), .ink = &Theme::faintText, .line = 1.5};
    PlotSeries strokes{
        .name = HeadsTemperatureWords::tr("uniform attention"), .ink = &Theme::text, .line = 1.5};
    double most = leastBits;
    for (std::size_t column = 0; column < heads.size(); ++column) {
        const Head& head = heads[column];
        const double at = static_cast<double>(column) + 0.5;
        most = std::max({most, head.most, head.even});
        for (const QPointF point : {QPointF(at, head.least), QPointF(at, head.most), QPointF(at, gap)})
            spans.points.push_back(point);
        for (const QPointF point :
             {QPointF(at - 0.3, head.even), QPointF(at + 0.3, head.even), QPointF(at, gap)})
            strokes.points.push_back(point);
    }
    plot.series = {std::move(spans), std::move(strokes)};
    addHeads(plot, heads, &Head::mean);
    addRow(plot, heads, HeadsTemperatureWords::tr("mean entropy of a row"), &Head::mean);
    addRow(plot, heads, HeadsTemperatureWords::tr("least entropy of a row"), &Head::least);
    addRow(plot, heads, HeadsTemperatureWords::tr("largest entropy of a row"), &Head::most);
    addRow(plot, heads, HeadsTemperatureWords::tr("mean entropy of uniform attention"), &Head::even);
    plot.up = {{.most = most * 1.05, .title = HeadsTemperatureWords::tr("entropy of a row, bits")}};
    plot.words = [heads, rows = plot.rows](MapCell mark) {
        const auto& head = heads[mark.column];
        const auto& row = rows[mark.row];
        return HeadsTemperatureWords::tr("%1: %2 %3 bits (%4)")
            .arg(address(head.head), row.name, numberText(row.points[mark.column].y()), rowsInWords(head));
    };
    return plot;
}

Plot hardHeadsPlot(const std::vector<analysis::HeadAtTemperature>& heads,
                   std::optional<trace::HeadAddress> chosen) {
    Plot plot = columnsOf(heads, chosen);
    addHeads(plot, heads, &analysis::HeadAtTemperature::hard);
    addRow(plot, heads, HeadsTemperatureWords::tr("mean weight of the largest key"),
           &analysis::HeadAtTemperature::hard);
    plot.up = {{.most = 1.05, .title = HeadsTemperatureWords::tr("weight of the largest key")}};
    plot.words = [heads](MapCell mark) {
        const auto& head = heads[mark.column];
        return HeadsTemperatureWords::tr("%1: mean weight of the key with the largest score %2 (%3)")
            .arg(address(head.head), numberText(head.hard), rowsInWords(head));
    };
    return plot;
}

Plot headCurvesPlot(const std::vector<analysis::HeadCurve>& curves, double temperature,
                    std::optional<trace::HeadAddress> chosen) {
    Plot plot{.across = {.least = analysis::lowestTemperature,
                         .most = analysis::highestTemperature,
                         .logarithmic = true,
                         .title = HeadsTemperatureWords::tr("temperature, logarithmic")}};
    plot.lines = {{.at = 1, .ink = &Theme::faintText, .dash = Qt::DashLine},
                  {.at = temperature, .ink = &Theme::stepMark, .width = 2}};
    double most = leastBits;
    PlotSeries onTop;
    for (const auto& [head, curve] : curves) {
        const auto kind = head.site.kind;
        const bool isFirst =
            std::ranges::find(plot.series, kindTitle(kind), &PlotSeries::name) == plot.series.end();
        PlotSeries line{.name = isFirst ? kindTitle(kind) : QString(),
                        .ink = static_cast<int>(kind),
                        .line = 1.2,
                        .dash = dashOf(kind)};
        for (std::size_t i = 0; i < curve.temperatures.size(); ++i)
            line.points.emplace_back(curve.temperatures[i], curve.entropies[i]);
        if (head == chosen)
            onTop = {.name = address(head), .points = line.points, .ink = &Theme::text, .line = 3};
        most = std::max(most, curve.even);
        plot.add(std::move(line), address(head));
    }
    if (!onTop.points.empty())
        plot.series.push_back(std::move(onTop));
    if (!curves.empty())
        for (const double each : curves.front().curve.temperatures)
            plot.columns += axisNumber(each);
    plot.up = {{.most = most * 1.05, .title = HeadsTemperatureWords::tr("mean entropy of a row, bits")}};
    plot.words = [rows = plot.rows, columns = plot.columns](MapCell mark) {
        const auto& row = rows[mark.row];
        return HeadsTemperatureWords::tr("%1 at temperature %2: mean entropy of a row %3 bits")
            .arg(row.name, columns[mark.column], numberText(row.points[mark.column].y()));
    };
    return plot;
}

} // namespace headscope::widgets

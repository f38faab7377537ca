#include "widgets/views/scale/score_plots.h"

#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/theme.h"
#include "widgets/tables/table_column.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headscope::widgets {

namespace {

struct ScorePlotsWords {
    Q_DECLARE_TR_FUNCTIONS(ScorePlots)
};

constexpr double octaves = 1.5; ///< width of the band of heads with the same d_k

constexpr double gapInLine = std::numeric_limits<double>::quiet_NaN();

struct Histogram {
    QString name;
    const std::vector<double>& shares;
    const analysis::ScoreSpread& spread;
};

std::vector<Histogram> histogramsOf(const analysis::ScoresOnOneAxis& scores) {
    const QString factor = axisNumber(scores.factor);
    std::vector<Histogram> all{
        {ScorePlotsWords::tr("Scaled scores (× %1)").arg(factor), scores.scaled, scores.ofScaled},
        {ScorePlotsWords::tr("q · k"), scores.products, scores.ofProducts}};
    if (scores.temperature != 1)
        all.push_back({ScorePlotsWords::tr("× %1 / (T = %2)").arg(factor, axisNumber(scores.temperature)),
                       scores.divided, scores.ofDivided});
    return all;
}

/// Two outlines differ in dashes as well as in colour.
PlotSeries outline(const std::vector<double>& shares, double lowest, double bin, int index) {
    PlotSeries series{.ink = index, .dash = index == 1 ? Qt::SolidLine : Qt::DashLine};
    series.points.emplace_back(lowest, 0);
    for (std::size_t i = 0; i < shares.size(); ++i)
        for (const double edge :
             {lowest + bin * static_cast<double>(i), lowest + bin * static_cast<double>(i + 1)})
            series.points.emplace_back(edge, shares[i]);
    series.points.emplace_back(lowest + bin * static_cast<double>(shares.size()), 0);
    return series;
}

QString initialisationText(analysis::Initialisation initialisation) {
    switch (initialisation) {
    case analysis::Initialisation::Xavier:
        return ScorePlotsWords::tr("d_k: variance 1 a component; %1").arg(initialisationName(initialisation));
    case analysis::Initialisation::StackedXavier:
        return ScorePlotsWords::tr("d_k/4: %1").arg(initialisationName(initialisation));
    case analysis::Initialisation::TorchLinear:
        return ScorePlotsWords::tr("d_k/9: %1").arg(initialisationName(initialisation));
    }
    return {};
}

/// Proportional to d_k; flat in the band, where all heads have the same d_k.
PlotSeries lineOf(std::size_t index, int headWidth) {
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    const auto initialisation = analysis::initialisations[index];
    const double slope = analysis::varianceAtFirst(initialisation, headWidth) / headWidth;
    const double from = headWidth * std::exp2(-octaves / 2), to = headWidth * std::exp2(octaves / 2);
    PlotSeries line{.name = initialisationText(initialisation),
                    .ink = &Theme::faintText,
                    .line = 1.5,
                    .dash = dashes.at(index)};
    line.points = {{headWidth / 4.0, slope * headWidth / 4},
                   {from, slope * from},
                   {from, gapInLine},
                   {from, slope * headWidth},
                   {to, slope * headWidth},
                   {to, gapInLine},
                   {to, slope * to},
                   {headWidth * 4.0, slope * headWidth * 4}};
    return line;
}

/// The twin's spreads in the order of the heads; empty if it is the twin of another model.
std::vector<analysis::HeadSpread> inOrder(const std::vector<analysis::HeadSpread>& twin,
                                          const std::vector<analysis::HeadSpread>& heads) {
    std::vector<analysis::HeadSpread> found;
    for (const auto& spread : heads) {
        const auto same = std::ranges::find(twin, spread.head, &analysis::HeadSpread::head);
        if (same != twin.end())
            found.push_back(*same);
    }
    return found.size() == heads.size() ? found : std::vector<analysis::HeadSpread>();
}

/// Adds the marks of all heads near the model's d_k, so that layers are side by side.
void addSpreads(Plot& plot, const std::vector<analysis::HeadSpread>& spreads, bool isTwin, int headWidth) {
    std::vector<trace::AttentionSite> sites;
    for (const auto& spread : spreads)
        if (sites.empty() || sites.back() != spread.head.site)
            sites.push_back(spread.head.site);
    PlotRow row{.name = isTwin ? ScorePlotsWords::tr("random twin") : ScorePlotsWords::tr("this model")};
    std::vector<PlotSeries> kinds;
    for (const auto& spread : spreads) {
        const auto& site = spread.head.site;
        const auto index = static_cast<double>(std::ranges::find(sites, site) - sites.begin());
        const double share = (index + (isTwin ? 0.7 : 0.3)) / static_cast<double>(sites.size()) - 0.5;
        const double variance = spread.products.variance > 0 ? spread.products.variance : gapInLine;
        row.points.emplace_back(headWidth * std::exp2(octaves * share), variance);
        auto marks = std::ranges::find(kinds, PlotInk(static_cast<int>(site.kind)), &PlotSeries::ink);
        if (marks == kinds.end())
            marks = kinds.insert(marks, kindMarks(site.kind));
        marks->points.push_back(row.points.back());
    }
    for (PlotSeries& marks : kinds) {
        marks.hollow = isTwin;
        if (isTwin)
            marks.name = &marks == kinds.data() ? ScorePlotsWords::tr("hollow: random twin") : QString();
        plot.series.push_back(std::move(marks));
    }
    plot.rows.push_back(std::move(row));
}

} // namespace

QString initialisationName(analysis::Initialisation initialisation) {
    switch (initialisation) {
    case analysis::Initialisation::Xavier:
        return QStringLiteral("Xavier");
    case analysis::Initialisation::StackedXavier:
        return QStringLiteral("nn.MultiheadAttention");
    case analysis::Initialisation::TorchLinear:
        return QStringLiteral("nn.Linear");
    }
    return {};
}

PlotSeries kindMarks(trace::AttentionKind kind) {
    constexpr std::array marks{PlotMark::Disc, PlotMark::Square, PlotMark::Triangle};
    return {.name = kindTitle(kind), .ink = static_cast<int>(kind), .line = 0, .mark = marks.at(kind)};
}

Plot scoresPlot(const analysis::ScoresOnOneAxis& scores) {
    const auto bins = scores.scaled.size();
    const double bin = (scores.highest - scores.lowest) / static_cast<double>(std::max<std::size_t>(1, bins));
    const auto edge = [&](std::size_t index) { return scores.lowest + bin * static_cast<double>(index); };
    Plot plot{
        .across = {.least = scores.lowest, .most = scores.highest, .title = ScorePlotsWords::tr("score")}};
    for (std::size_t i = 0; i < bins; ++i)
        plot.columns += ScorePlotsWords::tr("%1 to %2").arg(axisNumber(edge(i)), axisNumber(edge(i + 1)));
    double most = 0;
    for (const auto& [name, shares, spread] : histogramsOf(scores)) {
        const int index = plot.rows.size();
        PlotSeries filled{.ink = index, .bars = bin};
        for (std::size_t i = 0; i < bins; ++i) {
            filled.points.emplace_back(edge(i) + bin / 2, shares[i]);
            most = std::max(most, shares[i]);
        }
        plot.add(std::move(filled), name);
        if (index > 0)
            plot.series.back() = outline(shares, scores.lowest, bin, index);
        plot.series.back().name = ScorePlotsWords::tr("%1: mean %2, variance %3")
                                      .arg(name, axisNumber(spread.mean), axisNumber(spread.variance));
    }
    plot.up = {{.most = most, .title = ScorePlotsWords::tr("share of the allowed cells")}};
    plot.words = [rows = plot.rows, columns = plot.columns](MapCell mark) {
        const auto& row = rows[mark.row];
        return ScorePlotsWords::tr("%1, scores %2: %3 % of the cells")
            .arg(row.name, columns[mark.column], axisNumber(100 * row.points[mark.column].y()));
    };
    return plot;
}

Plot variancePlot(const std::vector<analysis::HeadSpread>& heads,
                  const std::vector<analysis::HeadSpread>& twin, int headWidth) {
    headWidth = std::max(1, headWidth);
    const auto sameTwin = inOrder(twin, heads);
    Plot plot{
        .across = {.least = headWidth / 4.0,
                   .most = headWidth * 4.0,
                   .logarithmic = true,
                   .title = ScorePlotsWords::tr("d_k, logarithmic")},
        .bands = {{.from = headWidth * std::exp2(-octaves / 2), .to = headWidth * std::exp2(octaves / 2)}},
        .inColumns = false};
    for (std::size_t i = 0; i < analysis::initialisations.size(); ++i)
        plot.series.push_back(lineOf(i, headWidth));
    addSpreads(plot, heads, false, headWidth);
    if (!sameTwin.empty())
        addSpreads(plot, sameTwin, true, headWidth);
    double low = analysis::varianceAtFirst(analysis::Initialisation::TorchLinear, headWidth) / 4;
    double high = headWidth * 4.0;
    for (const auto& row : plot.rows)
        for (const QPointF& point : row.points)
            if (std::isfinite(point.y())) {
                low = std::min(low, point.y());
                high = std::max(high, point.y());
            }
    plot.up = {{.least = low / 1.3,
                .most = high * 1.3,
                .logarithmic = true,
                .title = ScorePlotsWords::tr("variance of q · k, logarithmic")}};
    for (const auto& spread : heads)
        plot.columns += address(spread.head);
    plot.words = [heads, sameTwin, headWidth](MapCell mark) {
        const auto& spread = (mark.row == 0 ? heads : sameTwin)[mark.column];
        const QString words = ScorePlotsWords::tr("%1: variance of q · k %2, %3 times d_k (%4 cells)")
                                  .arg(address(spread.head), preciseText(spread.products.variance),
                                       axisNumber(spread.products.variance / headWidth))
                                  .arg(spread.products.cells);
        return mark.row == 0 ? words : ScorePlotsWords::tr("Random twin, %1").arg(words);
    };
    return plot;
}

Plot entropyPlot(const EntropyOverTemperature& shown) {
    using Words = ScorePlotsWords;
    const auto& curve = shown.curve;
    const bool isOld = !shown.stillOf.isEmpty();
    const QString title = Words::tr("mean entropy of a row, bits");
    Plot plot{
        .across = {.least = analysis::lowestTemperature,
                   .most = analysis::highestTemperature,
                   .logarithmic = true,
                   .title = Words::tr("temperature, logarithmic")},
        .up = {{.most = std::max(0.1, curve.even * 1.05), .title = title}},
        .lines = {{.at = 1, .ink = &Theme::faintText, .dash = Qt::DashLine, .words = QStringLiteral("1")},
                  {.at = curve.even,
                   .orientation = Qt::Horizontal,
                   .ink = &Theme::faintText,
                   .dash = Qt::DashDotLine,
                   .words = Words::tr("uniform attention: %1 bits").arg(numberText(curve.even))}}};
    const bool inSight = shown.without && *shown.without >= analysis::lowestTemperature &&
                         *shown.without <= analysis::highestTemperature;
    if (inSight && std::abs(std::log(*shown.without)) > 1e-6)
        plot.lines.push_back({.at = *shown.without,
                              .ink = &Theme::faintText,
                              .dash = Qt::DotLine,
                              .words = Words::tr("unscaled: %1").arg(axisNumber(*shown.without))});
    if (curve.temperatures.empty())
        return plot;
    PlotSeries line{.ink = isOld ? PlotInk(&Theme::faintText) : PlotInk(0)};
    for (std::size_t i = 0; i < curve.temperatures.size(); ++i) {
        line.points.emplace_back(curve.temperatures[i], curve.entropies[i]);
        plot.columns += axisNumber(curve.temperatures[i]);
    }
    plot.add(std::move(line), title);
    if (isOld)
        plot.note = Words::tr("still for %1").arg(shown.stillOf);
    else if (shown.entropy)
        for (const auto& [ink, radius] :
             {std::pair(PlotInk(&Theme::text), 6.0), std::pair(PlotInk(&Theme::stepMark), 4.0)})
            plot.series.push_back({.points = {{shown.temperature, *shown.entropy}},
                                   .ink = ink,
                                   .line = 0,
                                   .mark = PlotMark::Disc,
                                   .radius = radius});
    plot.words = [isOld, title, row = plot.rows.front(), columns = plot.columns](MapCell mark) {
        return isOld ? Words::tr("%1: computing this head...").arg(title)
                     : Words::tr("Temperature %1: mean entropy of a row %2 bits")
                           .arg(columns[mark.column], numberText(row.points[mark.column].y()));
    };
    return plot;
}

} // namespace headscope::widgets

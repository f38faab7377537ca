#include "widgets/views/scale/score_plots.h"

#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"
#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/colour_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/named_labels.h"
#include "widgets/tables/table_column.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

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
        return ScorePlotsWords::tr("d_k: variance 1 per component; %1")
            .arg(initialisationName(initialisation));
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

struct HeadsTemperatureWords {
    Q_DECLARE_TR_FUNCTIONS(HeadsTemperature)
};

constexpr double leastBits = 0.1; ///< minimum range of an axis, for rows without entropy

Qt::PenStyle dashOf(trace::AttentionKind kind) {
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
    return dashes.at(static_cast<std::size_t>(kind));
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

struct SoftMapPictureWords {
    Q_DECLARE_TR_FUNCTIONS(SoftMapPicture)
};

constexpr double softMapGap = 8;

/// Wide enough for the title.
double stripWidth(const QFont& font) {
    return std::max(48.0, QFontMetricsF(font).horizontalAdvance(SoftMapPictureWords::tr("bits")) + 8);
}

struct ScaleFigureWords {
    Q_DECLARE_TR_FUNCTIONS(Scale)
};

trace::DataTable initialisationsAt(int headWidth) {
    QStringList names;
    std::vector<double> variances;
    for (const auto initialisation : analysis::initialisations) {
        names += initialisationName(initialisation);
        variances.push_back(analysis::varianceAtFirst(initialisation, headWidth));
    }
    return {.name = "initialisations",
            .columns = {dataColumn("initialisation", names), dataColumn("variance", variances)}};
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
    return {.name = kindTitle(kind),
            .ink = static_cast<int>(kind),
            .line = 0,
            .mark = marks.at(static_cast<std::size_t>(kind))};
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
    const auto& curve = shown.curve;
    const bool isOld = !shown.stillOf.isEmpty();
    const QString title = ScorePlotsWords::tr("mean entropy of a row, bits");
    Plot plot{
        .across = {.least = analysis::lowestTemperature,
                   .most = analysis::highestTemperature,
                   .logarithmic = true,
                   .title = ScorePlotsWords::tr("temperature, logarithmic")},
        .up = {{.most = std::max(0.1, curve.even * 1.05), .title = title}},
        .lines = {{.at = 1, .ink = &Theme::faintText, .dash = Qt::DashLine, .words = QStringLiteral("1")},
                  {.at = curve.even,
                   .orientation = Qt::Horizontal,
                   .ink = &Theme::faintText,
                   .dash = Qt::DashDotLine,
                   .words = ScorePlotsWords::tr("uniform attention: %1 bits").arg(numberText(curve.even))}}};
    const bool inSight = shown.without && *shown.without >= analysis::lowestTemperature &&
                         *shown.without <= analysis::highestTemperature;
    if (inSight && std::abs(std::log(*shown.without)) > 1e-6)
        plot.lines.push_back({.at = *shown.without,
                              .ink = &Theme::faintText,
                              .dash = Qt::DotLine,
                              .words = ScorePlotsWords::tr("unscaled: %1").arg(axisNumber(*shown.without))});
    if (curve.temperatures.empty())
        return plot;
    PlotSeries line{.ink = isOld ? PlotInk(&Theme::faintText) : PlotInk(0)};
    for (std::size_t i = 0; i < curve.temperatures.size(); ++i) {
        line.points.emplace_back(curve.temperatures[i], curve.entropies[i]);
        plot.columns += axisNumber(curve.temperatures[i]);
    }
    plot.add(std::move(line), title);
    if (isOld)
        plot.note = ScorePlotsWords::tr("still for %1").arg(shown.stillOf);
    else if (shown.entropy)
        for (const auto& [ink, radius] :
             {std::pair(PlotInk(&Theme::text), 6.0), std::pair(PlotInk(&Theme::stepMark), 4.0)})
            plot.series.push_back({.points = {{shown.temperature, *shown.entropy}},
                                   .ink = ink,
                                   .line = 0,
                                   .mark = PlotMark::Disc,
                                   .radius = radius});
    plot.words = [isOld, title, row = plot.rows.front(), columns = plot.columns](MapCell mark) {
        return isOld ? ScorePlotsWords::tr("%1: computing this head...").arg(title)
                     : ScorePlotsWords::tr("Temperature %1: mean entropy of a row %2 bits")
                           .arg(columns[mark.column], numberText(row.points[mark.column].y()));
    };
    return plot;
}

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
    addRow(plot, heads, HeadsTemperatureWords::tr("mean weight of the top-scoring key"),
           &analysis::HeadAtTemperature::hard);
    plot.up = {{.most = 1.05, .title = HeadsTemperatureWords::tr("weight of the top-scoring key")}};
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

MapPicture SoftMapPicture::picture(const Theme& theme) const {
    return {.values = trace::view(map_.weights),
            .mask = &map_.open,
            .scale = ColourScale::sequential(0, 1, ColourMapping::Linear, theme.dark),
            .rowLabels = map_.queries,
            .columnLabels = map_.keys};
}

MapLayout SoftMapPicture::layOut(const QRectF& area, const QFont& font) const {
    const MapPicture shown = picture(lightTheme());
    MapLayoutInput input = layoutInput(shown, {.font = font, .spaceMarks = map_.spaceMarks}, area);
    input.longestLabel = std::min(input.longestLabel, area.width() * 0.28);
    input.rightMargin = colourBarWidth(shown.scale, font) + stripWidth(font) + 2 * softMapGap;
    return MapLayout(input);
}

QRectF SoftMapPicture::strip(const QRectF& area, const MapLayout& layout, const QFont& font) const {
    const double left =
        layout.plot().right() + colourBarWidth(picture(lightTheme()).scale, font) + softMapGap;
    return {left, layout.plot().top(), std::min(stripWidth(font), area.right() - left),
            layout.plot().height()};
}

QString SoftMapPicture::namedInWords(const QRectF& area, const QFont& font) const {
    return widgets::namedInWords(layOut(area, font));
}

double SoftMapPicture::mostBits() const {
    return std::max(1.0, std::log2(static_cast<double>(std::max<std::size_t>(1, map_.weights.columns()))));
}

void SoftMapPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                          const Theme& theme) const {
    const MapPicture shown = picture(theme);
    const MapLayout layout = layOut(area, font);
    if (layout.empty())
        return;
    drawMapCells(painter, shown, layout, theme);
    drawMapLabels(painter, shown, layout, {.font = font, .spaceMarks = map_.spaceMarks}, theme);
    drawColourBar(painter, layout.plot(), shown.scale, font, theme);
    const QRectF beside = strip(area, layout, font);
    for (int row = 0; row < rows(); ++row)
        painter.fillRect(entropyBar(row, layout, beside), categoryColours(theme)[0]);
    painter.fillRect(QRectF(beside.left() - 1, beside.top(), 1, beside.height()), theme.faintText);
    painter.setFont(font);
    painter.setPen(theme.faintText);
    const double line = QFontMetricsF(font).height();
    painter.drawText(QRectF(beside.left(), beside.top() - line - 2, beside.width() + 8, line), Qt::AlignLeft,
                     SoftMapPictureWords::tr("bits"));
    if (layout.showsRow(map_.row)) {
        painter.setPen(QPen(theme.stepMark, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(layout.rowRect(map_.row));
    }
}

QRectF SoftMapPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const MapLayout layout = layOut(area, font);
    if (layout.empty())
        return {};
    if (!isEntropy(mark))
        return layout.cellRect(mark.row, mark.column);
    return entropyBar(mark.row, layout, strip(area, layout, font));
}

QRectF SoftMapPicture::entropyBar(int row, const MapLayout& layout, const QRectF& beside) const {
    const QRectF across = layout.rowRect(row);
    const double pad = across.height() > 6 ? 1 : 0;
    const double bits = map_.entropies[row].value_or(0);
    return {beside.left(), across.top() + pad, beside.width() * bits / mostBits(), across.height() - 2 * pad};
}

std::optional<MapCell> SoftMapPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const MapLayout layout = layOut(area, font);
    if (layout.empty())
        return std::nullopt;
    if (const auto cell = layout.cellAt(point))
        return cell;
    const QRectF beside = strip(area, layout, font);
    if (!beside.contains(point))
        return std::nullopt;
    const int row = static_cast<int>(std::floor(layout.toCells(point).y()));
    return layout.showsRow(row) ? std::optional(MapCell{row, columns() - 1}) : std::nullopt;
}

QString SoftMapPicture::inWords(MapCell mark) const {
    const std::size_t row = mark.row;
    if (isEntropy(mark))
        return map_.entropies[row]
                   ? SoftMapPictureWords::tr("Row %1: entropy %2 bits")
                         .arg(rowName(mark.row), numberText(*map_.entropies[row]))
                   : SoftMapPictureWords::tr("Row %1: no entropy (padding, or fewer than two allowed keys)")
                         .arg(rowName(mark.row));
    const std::size_t key = mark.column;
    const QString weight =
        map_.open(row, key) ? numberText(map_.weights(row, key)) : SoftMapPictureWords::tr("masked");
    return SoftMapPictureWords::tr("%1 → %2: %3").arg(rowName(mark.row), quoted(map_.keys[key]), weight);
}

QString SoftMapPicture::rowName(int row) const {
    return quoted(map_.queries[row]);
}

QString SoftMapPicture::columnName(int column) const {
    return column + 1 == columns() ? SoftMapPictureWords::tr("entropy, bits") : quoted(map_.keys[column]);
}

QString scalingInShort(const trace::ModelSummary& model, double factor) {
    if (model.headWidth <= 0)
        return {};
    const bool isUsual = std::abs(factor * std::sqrt(model.headWidth) - 1) < 1e-4;
    return factor == 1
               ? ScaleFigureWords::tr("Scores are q · k without a factor, d_k = %1").arg(model.headWidth)
               : ScaleFigureWords::tr("Scores are q · k times %1%2, d_k = %3")
                     .arg(axisNumber(factor), isUsual ? QStringLiteral(" = 1/√d_k") : QString())
                     .arg(model.headWidth);
}

QString scoresCaption(const ScaleAnswer& answer) {
    const auto& question = answer.question;
    const auto& scores = answer.scores;
    const auto& model = *question.run->model;
    const QString whose =
        question.scope == ScoreScope::Head ? headTitle(model, question.head)
        : question.scope == ScoreScope::Layer
            ? ScaleFigureWords::tr("%1, all heads").arg(layerTitle(model, question.head.site))
            : ScaleFigureWords::tr("All %1 heads").arg(analysis::headsOf(*question.run).size());
    const auto scale = analysis::scoreScale(*question.run, model.headWidth);
    const QString factor = scale.isInverseRoot && scale.temperature == 1
                               ? ScaleFigureWords::tr("%1 = 1/√d_k").arg(axisNumber(scores.factor))
                               : axisNumber(scores.factor);
    QString words =
        ScaleFigureWords::tr(
            "%1: the scores q · k of this sentence's %2 allowed cells, times %3 as input of the "
            "softmax (filled) and without the factor (outline). Each histogram adds up to 1.%4")
            .arg(ofModel(model, whose), QString::number(scores.ofScaled.cells), factor,
                 scores.hasBias
                     ? QChar(' ') + ScaleFigureWords::tr("The filled scores contain the distance bias.")
                     : QString());
    if (scores.temperature != 1)
        words +=
            QChar(' ') + ScaleFigureWords::tr(
                             "Dashed: the filled scores divided by the temperature %1, mean %2, variance %3.")
                             .arg(axisNumber(scores.temperature), axisNumber(scores.ofDivided.mean),
                                  axisNumber(scores.ofDivided.variance));
    return words;
}

QString headsCaption(const ScaleAnswer& answer) {
    const auto& question = answer.question;
    const auto& model = *question.run->model;
    const QString whose =
        question.scope == ScoreScope::Head ? headTitle(model, question.head)
        : question.scope == ScoreScope::Layer
            ? ScaleFigureWords::tr("%1, all heads").arg(layerTitle(model, question.head.site))
            : ScaleFigureWords::tr("All %1 heads").arg(headsOf(question).size());
    QString words =
        ScaleFigureWords::tr(
            "%1: softmax(score / %2). Left: entropy of each head's rows, from least to largest, with the "
            "mean "
            "as a mark and uniform attention as a stroke; below it the mean weight of the key with the "
            "largest score (1: attention is hard). Right: the mean entropy over the temperature.")
            .arg(ofModel(model, whose), axisNumber(question.temperature));
    const auto heads = headsOf(question);
    const auto rows = analysis::rowsLookedAt(*question.run, heads);
    if (std::ranges::any_of(answer.heads, [rows](const auto& head) { return head.allRows > rows; }))
        words += QChar(' ') + ScaleFigureWords::tr(
                                  "For heads with more than %1 rows, %1 rows at regular intervals are used.")
                                  .arg(rows);
    words += QChar(' ') + ScaleFigureWords::tr(
                              "Rows of padding and rows with a single allowed key do not count. Each head is "
                              "computed alone: later layers are not recomputed.");
    return words;
}

QString varianceCaption(const trace::ModelSummary& model, double temperature) {
    QStringList given;
    for (const auto initialisation : analysis::initialisations)
        given += QStringLiteral("%1 %2").arg(
            initialisationName(initialisation),
            axisNumber(analysis::varianceAtFirst(initialisation, model.headWidth)));
    QString words =
        ScaleFigureWords::tr(
            "Variance of q · k over this sentence's allowed cells, before any factor: %1 at d_k = %2; in the "
            "band, layers side by side. Lines: independent components with common initialisations (%3). The "
            "components of a trained model are neither independent nor standardised.")
            .arg(ofModel(model, ScaleFigureWords::tr("every head")), QString::number(model.headWidth),
                 given.join(ScaleFigureWords::tr(", ")));
    if (temperature != 1)
        words += QChar(' ') +
                 ScaleFigureWords::tr("Temperature %1 multiplies the variance of the softmax's input by %2.")
                     .arg(axisNumber(temperature), axisNumber(1 / (temperature * temperature)));
    return words;
}

/// The entropy of each row, and its key with the largest score.
trace::DataTable entropyRows(const analysis::OpenScores& scores, const trace::Matrix& weights,
                             const std::vector<TokenLabel>& queries) {
    QStringList names;
    std::vector<double> entropies, hard;
    const auto bits = analysis::entropiesOfRows(scores, weights);
    for (std::size_t row = 0; row < bits.size(); ++row) {
        names += row < queries.size() ? queries[row].full() : QString();
        entropies.push_back(bits[row].value_or(noNumber));
        const auto key = analysis::hardKey(scores.scores.row(row), scores.open.row(row));
        hard.push_back(key ? static_cast<double>(*key) : noNumber);
    }
    return {.name = "rows",
            .columns = {dataColumn("query", names), dataColumn("entropy_bits", entropies),
                        dataColumn("hard_key", hard)}};
}

/// The histogram and the statistics of each kind of score; those divided by the temperature only if it is not
/// 1.
trace::FigureData scoresData(const analysis::ScoresOnOneAxis& scores) {
    const auto bins = static_cast<double>(scores.scaled.size());
    std::vector<double> edges;
    for (std::size_t bin = 0; bin < scores.scaled.size(); ++bin)
        edges.push_back(scores.lowest + (scores.highest - scores.lowest) * static_cast<double>(bin) / bins);
    trace::DataTable shares{.name = "shares_of_cells",
                            .columns = {dataColumn("from", edges), dataColumn("scaled", scores.scaled),
                                        dataColumn("products", scores.products)}};
    QStringList names{QStringLiteral("scaled"), QStringLiteral("products")};
    std::vector<double> factors{scores.factor, 1};
    std::vector<double> means{scores.ofScaled.mean, scores.ofProducts.mean};
    std::vector<double> variances{scores.ofScaled.variance, scores.ofProducts.variance};
    if (scores.temperature != 1) {
        shares.columns.push_back(dataColumn("at_temperature", scores.divided));
        names += QStringLiteral("at_temperature");
        factors.push_back(scores.factor / scores.temperature);
        means.push_back(scores.ofDivided.mean);
        variances.push_back(scores.ofDivided.variance);
    }
    return {.tables = {std::move(shares),
                       {.name = "spreads",
                        .columns = {dataColumn("scores", names), dataColumn("factor", factors),
                                    dataColumn("mean", means), dataColumn("variance", variances)}}}};
}

trace::FigureData varianceData(const ScaleAnswer& answer, const std::vector<analysis::HeadSpread>& twins,
                               double temperature) {
    using Spread = analysis::HeadSpread;
    const auto& spreads = answer.spreads;
    const auto twin = [&](const Spread& spread) -> std::optional<double> {
        const auto same = std::ranges::find(twins, spread.head, &Spread::head);
        return same == twins.end() ? std::nullopt : std::optional(same->products.variance);
    };
    const auto divided = [&](const Spread& spread) {
        return analysis::dividedBy(temperature, spread.scores).variance;
    };
    return {.tables = {
                {.name = "products",
                 .columns = {dataColumn("head", spreads, [](const Spread& one) { return address(one.head); }),
                             dataColumn("mean", spreads, [](const Spread& one) { return one.products.mean; }),
                             dataColumn("variance", spreads,
                                        [](const Spread& one) { return one.products.variance; }),
                             dataColumn("twin_variance", spreads, twin),
                             dataColumn("temperature", std::vector<double>(spreads.size(), temperature)),
                             dataColumn("score_variance", spreads, divided)}},
                initialisationsAt(answer.question.run->model->headWidth)}};
}

trace::FigureData headsData(const ScaleAnswer& answer) {
    QStringList curveHeads;
    std::vector<double> temperatures, bits;
    for (const auto& [head, curve] : answer.curves)
        for (std::size_t i = 0; i < curve.temperatures.size(); ++i) {
            curveHeads += address(head);
            temperatures.push_back(curve.temperatures[i]);
            bits.push_back(curve.entropies[i]);
        }
    using Head = analysis::HeadAtTemperature;
    const auto& heads = answer.heads;
    const std::vector<double> at(heads.size(), answer.question.temperature);
    return {
        .tables = {{.name = "heads",
                    .columns = {dataColumn("head", heads, [](const Head& one) { return address(one.head); }),
                                dataColumn("temperature", at), dataColumn("rows", heads, &Head::rows),
                                dataColumn("all_rows", heads, &Head::allRows),
                                dataColumn("least_bits", heads, &Head::least),
                                dataColumn("mean_bits", heads, &Head::mean),
                                dataColumn("most_bits", heads, &Head::most),
                                dataColumn("even_bits", heads, &Head::even),
                                dataColumn("hard_key_weight", heads, &Head::hard)}},
                   {.name = "entropy",
                    .columns = {dataColumn("head", curveHeads), dataColumn("temperature", temperatures),
                                dataColumn("bits", bits)}}}};
}

} // namespace headscope::widgets

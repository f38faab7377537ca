#include "widgets/views/attribution/attribution_plot.h"

#include "model/analysis/output/attribution_groups.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/attribution/attribution_tree.h"
#include "widgets/words/card_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::widgets {

namespace {

struct WaterfallWords {
    Q_DECLARE_TR_FUNCTIONS(WaterfallWords) // as lupdate names it
};

constexpr std::size_t mostSingleParts = 16;
constexpr double waterfallBar = 0.76; ///< of the distance of two bars
constexpr double waterfallTwin = 0.1; ///< the same of the thin bars beside them

QString shortName(const trace::LogitPart& part) {
    using Kind = trace::LogitPart::Kind;
    const QString layer = part.sublayer ? QString::number(part.sublayer->layer) : QString();
    const QString sublayer = part.sublayer ? shortSublayer(part.sublayer->kind) : QString();
    switch (part.kind) {
    case Kind::Bias:
        return WaterfallWords::tr("bias");
    case Kind::Embedding:
        return WaterfallWords::tr("word");
    case Kind::Position:
        return WaterfallWords::tr("position");
    case Kind::Head:
        return QStringLiteral("%1 %2.%3").arg(sublayer, layer).arg(part.head);
    case Kind::AttentionBias:
        return WaterfallWords::tr("%1 %2 bias").arg(sublayer, layer);
    case Kind::FeedForward:
        break;
    }
    return QStringLiteral("%1 %2").arg(sublayer, layer);
}

Waterfall::Step single(const trace::LogitPart& part, const trace::ModelSummary* model) {
    return {.name = shortName(part),
            .words = partInWords(part, model),
            .value = part.value,
            .head = headOf(part)};
}

/// Of a sublayer with several parts.
Waterfall::Step joined(const analysis::AttributionGroup& group) {
    const auto& sublayer = *group.parts.front().sublayer;
    const QString name =
        QStringLiteral("%1 %2").arg(shortSublayer(sublayer.kind), QString::number(sublayer.layer));
    return {.name = name,
            .words = WaterfallWords::tr("%1, all heads").arg(name),
            .value = group.sum,
            .head = std::nullopt,
            .unfolds = sublayer};
}

/// Keeps the largest, and puts one step for the others after them.
void joinSmallest(std::vector<Waterfall::Step>& steps) {
    if (steps.size() <= mostSingleParts + 1)
        return;
    std::vector<double> sizes;
    for (const auto& step : steps)
        sizes.push_back(std::abs(step.value));
    std::ranges::sort(sizes, std::greater());
    const double least = sizes[mostSingleParts - 1];
    Waterfall::Step others;
    int joined = 0;
    std::erase_if(steps, [&](const auto& step) {
        const bool isSmall = std::abs(step.value) < least;
        others.value += isSmall ? step.value : 0;
        joined += isSmall;
        return isSmall;
    });
    others.name = WaterfallWords::tr("Others (%1)").arg(joined);
    others.words = WaterfallWords::tr("Smallest parts together (%1)").arg(joined);
    steps.push_back(std::move(others));
}

} // namespace

Waterfall waterfall(const trace::LogitAttribution& attribution,
                    const std::set<trace::SublayerAddress>& unfolded, bool flat,
                    const trace::ModelSummary* model) {
    Waterfall made{.steps = {}, .sum = analysis::sumOfParts(attribution)};
    for (const auto& group : analysis::attributionGroups(attribution)) {
        const auto& sublayer = group.parts.front().sublayer;
        if (group.parts.size() > 1 && !flat && !unfolded.contains(*sublayer))
            made.steps.push_back(joined(group));
        else
            for (const auto& part : group.parts)
                made.steps.push_back(single(part, model));
    }
    if (flat)
        joinSmallest(made.steps);
    return made;
}

Plot Waterfall::plot() const {
    Plot plot;
    PlotSeries up{.ink = aboveZeroColour, .bars = waterfallBar},
        down{.ink = belowZeroColour, .bars = waterfallBar}, all{.bars = waterfallBar},
        between{.ink = &Theme::faintText, .line = 1, .dash = Qt::DotLine};
    double at = 0, least = 0, most = 0;
    QStringList names;
    PlotSeries beside{.ink = &Theme::faintText, .bars = waterfallTwin};
    for (const Step& step : steps) {
        const double x = static_cast<double>(names.size());
        if (names.size() < std::ssize(twin)) {
            const double other = twin[names.size()];
            beside.points.emplace_back(x + (waterfallBar + waterfallTwin) / 2, at + other);
            beside.from.push_back(at);
            least = std::min(least, at + other);
            most = std::max(most, at + other);
        }
        auto& series = step.value >= 0 ? up : down;
        for (auto* one : {&series, &all}) {
            one->points.emplace_back(x, at + step.value);
            one->from.push_back(at);
            one->texts += shortSignedText(step.value);
        }
        at += step.value;
        between.points.emplace_back(x + waterfallBar / 2, at);
        between.points.emplace_back(x + 1 - waterfallBar / 2, at);
        between.points.emplace_back(x + 0.5, std::numeric_limits<double>::quiet_NaN());
        least = std::min(least, at);
        most = std::max(most, at);
        names += step.name;
    }
    const double last = static_cast<double>(names.size());
    PlotSeries sumBar{.points = {{last, sum}},
                      .ink = &Theme::accent,
                      .bars = waterfallBar,
                      .from = {0},
                      .texts = {shortSignedText(sum)}};
    names += WaterfallWords::tr("sum");
    all.points.emplace_back(last, sum);
    all.from.push_back(0);
    const double room = 0.12 * std::max(most - least, 1e-6); // for the numbers
    plot.across = {.least = -0.5, .most = last + 0.5, .names = names};
    plot.up = {{.least = least < 0 ? least - room / 3 : 0, .most = most + room}};
    for (auto* series : {&between, &up, &down, &sumBar, &beside})
        if (!series->points.empty())
            plot.series.push_back(*series);
    plot.lines.push_back({.at = 0, .orientation = Qt::Horizontal, .ink = &Theme::faintText});
    plot.rows.push_back({.name = WaterfallWords::tr("contribution"),
                         .points = all.points,
                         .bars = waterfallBar,
                         .from = all.from});
    plot.columns = names;
    plot.words = [listed = steps, total = sum, twins = twin](MapCell mark) {
        const std::size_t place = mark.column;
        if (place >= listed.size())
            return WaterfallWords::tr("Sum of all parts: %1").arg(shortSignedText(total));
        const QString own =
            QStringLiteral("%1: %2").arg(listed[place].words, shortSignedText(listed[place].value));
        return place < twins.size()
                   ? WaterfallWords::tr("%1; in the random twin %2").arg(own, shortSignedText(twins[place]))
                   : own;
    };
    return plot;
}

} // namespace headscope::widgets

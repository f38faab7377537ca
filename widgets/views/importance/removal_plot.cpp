#include "widgets/views/importance/removal_plot.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct RemovalWords {
    Q_DECLARE_TR_FUNCTIONS(RemovalCurve)
};

/// The first point at which the token is behind that it is compared with.
std::optional<std::size_t> firstBehind(const analysis::RemovalComparison& compared,
                                       const trace::RemovalCurve& curve) {
    const auto& left = compared.byImportance;
    const auto found = std::ranges::find_if(left, [](double value) { return value < 0; });
    return !curve.contrast || left.empty() || left.front() < 0 || found == left.end()
               ? std::nullopt
               : std::optional<std::size_t>(found - left.begin());
}

QString whatIsLeft(const trace::RemovalCurve& curve) {
    return curve.contrast
               ? RemovalWords::tr("logit difference to %1").arg(quoted(tokenLabel(*curve.contrast)))
           : curve.areNumbers ? RemovalWords::tr("prediction")
                              : RemovalWords::tr("log-probability");
}

bool areOff(const trace::RemovalCurve& curve) {
    return curve.ablation.kind == trace::Ablation::Kind::Zero;
}

} // namespace

analysis::RemovalComparison comparedRemovals(const KnownRemovals& known, ImportanceScope scope) {
    return known.byImportance ? analysis::compareRemovals(*known.byImportance, known.random, scope)
                              : analysis::RemovalComparison();
}

Plot removalPlot(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve,
                 ImportanceScope scope) {
    Plot plot;
    const auto heads = compared.order.size();
    plot.across = {.least = 0,
                   .most = std::max<double>(1, static_cast<double>(heads)),
                   .title = RemovalWords::tr("heads removed"),
                   .whole = true};
    PlotAxis up{.least = 0, .most = 0, .title = whatIsLeft(curve)};
    const auto add = [&](const std::vector<double>& values, PlotSeries series, const QString& row) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            series.points.emplace_back(static_cast<double>(compared.removed[i]), values[i]);
            if (std::isfinite(values[i])) {
                up.least = std::min(up.least, std::floor(values[i]));
                up.most = std::max(up.most, std::ceil(values[i]));
            }
        }
        plot.add(std::move(series), row);
    };
    const QString ranked = RemovalWords::tr("most important first"), mean = RemovalWords::tr("random, mean"),
                  ends = RemovalWords::tr("random, minimum and maximum");
    const PlotSeries limit{.ink = 1, .line = 1, .dash = Qt::DotLine};
    add(compared.byImportance, {.name = ranked, .ink = 0}, ranked);
    if (compared.draws > 0) {
        auto named = limit;
        named.name = ends;
        add(compared.mean, {.name = mean, .ink = 1, .dash = Qt::DashLine}, mean);
        add(compared.least, std::move(named), RemovalWords::tr("random, minimum"));
        add(compared.most, limit, RemovalWords::tr("random, maximum"));
    }
    plot.up = {up};
    if (compared.draws < analysis::randomOrders)
        plot.note =
            RemovalWords::tr("%1 of %2 random orders").arg(compared.draws).arg(analysis::randomOrders);
    for (const auto removed : compared.removed)
        plot.columns += QString::number(removed);
    plot.words = [rows = plot.rows, compared, what = whatIsLeft(curve)](MapCell mark) {
        const auto& row = rows[mark.row];
        const auto removed = compared.removed[mark.column];
        QString words = RemovalWords::tr("%1 of %2 heads removed, %3: %4 %5")
                            .arg(QString::number(removed), QString::number(compared.order.size()), row.name,
                                 what, numberText(row.points[mark.column].y()));
        if (mark.row == 0 && removed > 0)
            words += RemovalWords::tr("; the last one %1").arg(address(compared.order[removed - 1]));
        return words;
    };
    if (scope)
        return plot;
    plot.up.front().title = curve.areNumbers ? RemovalWords::tr("sum of the predictions")
                                             : RemovalWords::tr("sum of %1").arg(whatIsLeft(curve));
    return plot;
}

Plot removalSketch(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve) {
    Plot plot = removalPlot(compared, curve, ImportanceScope(0));
    PlotSeries first = plot.series.front();
    first.ink = aboveZeroColour;
    first.mark = PlotMark::Disc;
    first.radius = 2.5;
    plot.series.clear();
    if (compared.draws > 0) {
        PlotSeries area{.name = RemovalWords::tr("random heads, %1 draws").arg(compared.draws),
                        .ink = &Theme::line,
                        .line = 0,
                        .filled = true};
        PlotSeries mean{.ink = &Theme::faintText, .line = 1, .dash = Qt::DashLine};
        for (std::size_t i = 0; i < compared.removed.size(); ++i) {
            area.points.emplace_back(static_cast<double>(compared.removed[i]), compared.most[i]);
            mean.points.emplace_back(static_cast<double>(compared.removed[i]), compared.mean[i]);
        }
        for (std::size_t i = compared.removed.size(); i-- > 0;)
            area.points.emplace_back(static_cast<double>(compared.removed[i]), compared.least[i]);
        plot.series = {area, mean};
    }
    plot.series.push_back(first);
    if (const auto behind = firstBehind(compared, curve))
        plot.series.push_back({.points = {first.points[*behind]},
                               .ink = &Theme::text,
                               .line = 0,
                               .mark = PlotMark::Disc,
                               .radius = 5,
                               .hollow = true});
    plot.lines.push_back({.at = 0, .orientation = Qt::Horizontal, .ink = &Theme::faintText});
    plot.across.most = compared.removed.empty() ? 1 : static_cast<double>(compared.removed.back());
    plot.across.title = areOff(curve) ? RemovalWords::tr("heads switched off together")
                                      : RemovalWords::tr("heads removed together");
    return plot;
}

QString removalVerdict(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve) {
    const auto behind = firstBehind(compared, curve);
    const QString words = areOff(curve) ? RemovalWords::tr("%1 off together: %2 leads")
                                        : RemovalWords::tr("%1 removed together: %2 leads");
    return behind ? words.arg(QString::number(compared.removed[*behind]), quoted(tokenLabel(*curve.contrast)))
                  : QString();
}

QString removalCaption(const analysis::RemovalComparison& compared, const trace::RemovalCurve& curve) {
    return RemovalWords::tr("Curve: %1 while heads are removed, the most important first, compared with %2 "
                            "random orders (mean, minimum, maximum; seed %3).")
        .arg(whatIsLeft(curve), QString::number(compared.draws), QString::number(analysis::randomOrdersSeed));
}

} // namespace headscope::widgets

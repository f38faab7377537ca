#include "widgets/views/hesitation/hesitation_plot.h"

#include "widgets/drawing/token_label.h"
#include "widgets/tables/table_column.h"
#include "widgets/words/hesitation_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::widgets {

namespace {

using analysis::Hesitation;

struct HesitationPlotWords {
    Q_DECLARE_TR_FUNCTIONS(HesitationPlot)
};

struct HesitationQuantity {
    QString name;
    std::optional<double> Hesitation::*member;
};

QString barInWords(const Hesitation& step, const QString& name, const HesitationQuantity& shown,
                   bool isEntropy) {
    if (!(step.*shown.member))
        return HesitationPlotWords::tr("Step %1: not known").arg(name);
    if (isEntropy)
        return HesitationPlotWords::tr("Step %1: the next token has an entropy of %2 bits")
            .arg(name, preciseText(*(step.*shown.member)));
    const QString words = hesitationInWords(step);
    return step.isForced ? HesitationPlotWords::tr("Step %1: forced. %2").arg(name, words)
                         : HesitationPlotWords::tr("Step %1: %2").arg(name, words);
}

} // namespace

Plot hesitationPlot(const std::vector<Hesitation>& steps, std::optional<int> lit) {
    const std::vector<HesitationQuantity> quantities{
        {HesitationPlotWords::tr("probability"), &Hesitation::probability},
        {HesitationPlotWords::tr("margin"), &Hesitation::margin},
        {HesitationPlotWords::tr("entropy"), &Hesitation::entropy}};
    Plot plot;
    plot.across = {.least = 0.5,
                   .most = static_cast<double>(steps.size()) + 0.5,
                   .title = HesitationPlotWords::tr("step"),
                   .whole = true};
    for (int row = 0; row < 3; ++row) {
        const auto& [name, member] = quantities[row];
        PlotAxis up{.title = name};
        PlotSeries bars{.ink = row, .bars = 0.8, .panel = row};
        for (std::size_t step = 0; step < steps.size(); ++step) {
            const auto value = steps[step].*member;
            up.least = std::min(up.least, std::floor(value.value_or(0)));
            up.most = std::max(up.most, std::ceil(value.value_or(0)));
            bars.points.emplace_back(static_cast<double>(step + 1),
                                     value.value_or(std::numeric_limits<double>::quiet_NaN()));
        }
        plot.up.push_back(up);
        plot.add(bars, name);
    }
    for (std::size_t step = 0; step < steps.size(); ++step)
        plot.columns += QStringLiteral("%1 %2").arg(step + 1).arg(quoted(tokenLabel(steps[step].chosen)));
    if (lit)
        plot.bands.push_back({.from = *lit + 0.5, .to = *lit + 1.5});
    plot.words = [steps, quantities, names = plot.columns](MapCell mark) {
        return barInWords(steps[mark.column], names[mark.column], quantities[mark.row], mark.row == 2);
    };
    return plot;
}

} // namespace headscope::widgets

// The page of the variance: every head's as a mark and in a table.
#include "widgets/drawing/plot_frame.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/scale/score_pictures.h"
#include "widgets/words/captions.h"

#include <algorithm>
#include <utility>

namespace headscope::widgets {

void ScaleView::showVariance() {
    if (std::exchange(varianceShownAt_, temperature_) == temperature_)
        return;
    const auto& spreads = known()->spreads;
    const int width = run_->model->headWidth;
    variancePlot_->setPicture(std::make_shared<VariancePicture>(spreads, twin_, width));
    std::vector<TokenLabel> names;
    NumberColumn mean{.title = tr("mean"), .toolTip = tr("of q · k over the open cells")};
    NumberColumn variance{.title = tr("variance"), .toolTip = tr("of q · k over the open cells")};
    NumberColumn overWidth{.title = tr("/ d_k"), .toolTip = tr("variance over d_k = %1").arg(width)};
    NumberColumn divided{.title = tr("score / %1").arg(axisNumber(temperature_)),
                         .toolTip = tr("variance of the scores that the softmax is given, over the square of "
                                       "the temperature %1")
                                        .arg(axisNumber(temperature_))};
    NumberColumn twin{.title = tr("twin"), .toolTip = tr("the same head's variance with random weights")};
    for (const auto& spread : spreads) {
        names.push_back({.text = QString::fromStdString(trace::toString(spread.head))});
        mean.empty.push_back(false);
        mean.values.push_back(spread.products.mean);
        variance.values.push_back(spread.products.variance);
        overWidth.values.push_back(spread.products.variance / width);
        divided.empty.push_back(false);
        divided.values.push_back(analysis::dividedBy(temperature_, spread.scores).variance);
        const auto same = std::ranges::find(twin_, spread.head, &analysis::HeadSpread::head);
        twin.empty.push_back(same == twin_.end());
        twin.values.push_back(same == twin_.end() ? 0 : same->products.variance);
    }
    for (const auto initialisation : analysis::initialisations) {
        const double given = analysis::varianceAtFirst(initialisation, width);
        names.push_back({.text = tr("initialised: %1").arg(initialisationName(initialisation))});
        variance.values.push_back(given);
        overWidth.values.push_back(given / width);
        for (auto* column : {&mean, &divided, &twin}) {
            column->values.push_back(0);
            column->empty.push_back(true);
        }
    }
    std::vector<NumberColumn> columns{mean, variance, overWidth, divided};
    if (!twin_.empty())
        columns.push_back(twin);
    varianceTable_->setColumns(tr("head"), NumbersTable::Names::Tokens, std::move(names), std::move(columns));
}

QString ScaleView::varianceCaption() const {
    QStringList given;
    for (const auto initialisation : analysis::initialisations)
        given += QStringLiteral("%1 %2").arg(
            initialisationName(initialisation),
            axisNumber(analysis::varianceAtFirst(initialisation, run_->model->headWidth)));
    QString words =
        tr("Variance of q · k over this sentence's open cells, before any factor: %1 at d_k = %2, in the "
           "band, layers side by side. Lines: what independent components and usual initialisations give "
           "(%3). A trained model's components are neither independent nor standard: a finding, not a law.")
            .arg(ofModel(*run_->model, tr("every head")), QString::number(run_->model->headWidth),
                 given.join(tr(", ")));
    if (temperature_ != 1)
        words +=
            QChar(' ') + tr("The temperature %1 makes the variance of the scores that the softmax is given "
                            "%2 times as large: it is divided by the square.")
                             .arg(axisNumber(temperature_), axisNumber(1 / (temperature_ * temperature_)));
    if (!twin_.empty())
        words += QChar(' ') + tr("Hollow: the same network with random weights (seed %1).").arg(twinSeed_);
    if (measuringTwin_)
        words += QChar(' ') + tr("The network with random weights is running on the same tokens...");
    else if (!twinRefusal_.isEmpty())
        words += QChar(' ') + twinRefusal_;
    return words;
}

} // namespace headscope::widgets

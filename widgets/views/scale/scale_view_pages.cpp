// What each page of the scale shows, and what it has to ask for.
#include "model/analysis/cell_arithmetic.h"
#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/scale/scale_view.h"
#include "widgets/views/scale/score_pictures.h"
#include "widgets/views/scale/softmax_pictures.h"
#include "widgets/views/scale/temperature_slider.h"
#include "widgets/words/captions.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <limits>
#include <utility>

namespace headscope::widgets {

bool ScaleView::isLong() const {
    const auto head = selection_->head();
    const auto* record = run_ ? run_->record(head.site) : nullptr;
    return record && record->isLeftOut() && head.head >= 0 &&
           static_cast<std::size_t>(head.head) < record->heads();
}

/// Nothing blinks: what is known of this model stays while another head or run is counted.
const ScaleAnswer* ScaleView::known() const {
    return answer_ && run_ && answer_->question.run->model == run_->model ? &*answer_ : nullptr;
}

ScaleQuestion ScaleView::questionInSight() const {
    if (showsHeads()) {
        const auto head = selection_->head();
        return {.run = run_,
                .head = scope() == ScoreScope::Head    ? head
                        : scope() == ScoreScope::Layer ? trace::HeadAddress{.site = head.site}
                                                       : trace::HeadAddress{},
                .scope = scope(),
                .counts = ScaleCounts::Heads,
                .temperature = temperature_};
    }
    return {.run = run_,
            .head = selection_->head(),
            .scope = scope(),
            .counts = !isLong()                  ? ScaleCounts::All
                      : page() == Page::Variance ? ScaleCounts::Spreads
                                                 : ScaleCounts::Scores,
            // Only there it changes what is counted.
            .temperature = page() == Page::Scores ? temperature_
                           : answer_              ? answer_->question.temperature
                                                  : 1};
}

std::optional<ScaleQuestion> ScaleView::question() const {
    if (!isVisible() || !hasHead())
        return std::nullopt;
    const auto asks = questionInSight();
    if (asks.counts == ScaleCounts::Heads)
        return isRefused() || (heads_ && heads_->question == asks) ? std::nullopt : std::optional(asks);
    if (isRefused() || (answer_ && answer_->question == asks))
        return std::nullopt;
    if (asks.counts == ScaleCounts::All || !answer_ || answer_->question.run != run_)
        return asks;
    // Of long maps the one is kept when the other is counted.
    const bool isDone = asks.counts == ScaleCounts::Spreads
                            ? !answer_->spreads.empty()
                            : answer_->scores.ofScaled.cells > 0 && answer_->question.head == asks.head &&
                                  answer_->question.scope == asks.scope &&
                                  answer_->scores.temperature == asks.temperature;
    return isDone ? std::nullopt : std::optional(asks);
}

bool ScaleView::isRefused() const {
    return refused_ == questionInSight();
}

ScaleKnown ScaleView::whatIsKnown() const {
    ScaleKnown known;
    if (answer_ && answer_->question.run == run_) {
        const auto asks = questionInSight();
        known.spreads = answer_->spreads;
        if (answer_->question.head == asks.head)
            known.curve = answer_->curve;
        if (headsOf(answer_->question) == headsOf(asks))
            known.scores = answer_->scores;
    }
    if (showsHeads() && areHeadsChosen())
        known.curves = heads_->curves;
    return known;
}

void ScaleView::setAnswer(ScaleAnswer answer) {
    if (answer.question.counts == ScaleCounts::Heads) {
        heads_ = std::move(answer);
        refused_.reset();
        return showPage();
    }
    if (answer.question.counts == ScaleCounts::Spreads && answer_ &&
        answer_->question.run == answer.question.run) {
        answer.scores = answer_->scores;
        answer.question.head = answer_->question.head;
        answer.question.scope = answer_->question.scope;
        answer.question.temperature = answer_->question.temperature;
    }
    if (!answer_ || answer.spreads.size() != answer_->spreads.size() ||
        answer.question.run != answer_->question.run)
        varianceShownAt_.reset();
    answer_ = std::move(answer);
    refused_.reset();
    showPage();
}

void ScaleView::setShareCounted(double share) {
    shareCounted_ = share;
    caption_->setText(caption());
    update();
}

void ScaleView::showRefusal(const QString& words) {
    refused_ = question();
    refusal_ = words;
    showPage();
}

void ScaleView::showTwinRefusal(const QString& words) {
    twinRefusal_ = words;
    showPage();
}

void ScaleView::setMeasuringTwin(bool measuring) {
    if (measuring == measuringTwin_)
        return;
    measuringTwin_ = measuring;
    if (measuring)
        twinRefusal_.clear();
    showPage();
}

void ScaleView::setTwin(std::vector<analysis::HeadSpread> spreads, std::uint64_t seed) {
    twin_ = std::move(spreads);
    twinSeed_ = seed;
    varianceShownAt_.reset();
    showPage();
}

/// The temperature that makes softmax(q k) of the run's scores.
/// Where the distance adds to scores, no temperature does.
double ScaleView::droppedScale() const {
    if (!run_ || !run_->model || !isScaleKnown() ||
        analysis::distanceBias(*run_, selection_->head().site.kind))
        return 1;
    return analysis::scoreScale(*run_, static_cast<std::size_t>(run_->model->headWidth)).factor;
}

/// What a trace may not say.
bool ScaleView::isScaleKnown() const {
    return !run_ || !run_->model || !run_->model->recorded ||
           analysis::scoreScale(*run_, static_cast<std::size_t>(run_->model->headWidth)).isKnown;
}

void ScaleView::showPage() {
    const bool any = hasFigure();
    scopes_->setVisible(page() != Page::Variance);
    twinButton_->setVisible(page() == Page::Variance);
    twinButton_->setEnabled(any || measuringTwin_);
    twinButton_->setText(measuringTwin_ ? tr("Stop Measuring") : tr("Measure the Random Twin"));
    twinButton_->setToolTip(
        !any ? whyNothing()
        : measuringTwin_
            ? tr("The network with random weights is running; nothing of it is kept")
            : tr("Run the same network with random weights on the same tokens, and set its heads "
                 "beside these"));
    slider_->setEnabled(any);
    temperatureBox_->setEnabled(any);
    asTrained_->setEnabled(any);
    showTemperatureControls();
    slider_->setMarks({1, droppedScale()});
    stack_->setCurrentIndex(showsHeads() ? 3 : pages_->currentIndex());
    stack_->setVisible(any);
    fit();
    if (any && page() == Page::Scores)
        scoresPlot_->setPicture(std::make_shared<ScoresPicture>(known()->scores));
    else if (any && page() == Page::Variance)
        showVariance();
    caption_->setVisible(any);
    caption_->setText(caption());
    showTemperature();
    update();
    Q_EMIT questionChanged();
}

void ScaleView::showTemperatureControls() {
    const double dropped = droppedScale();
    asTrained_->setChecked(temperature_ == 1);
    unscaled_->setChecked(dropped != 1 && temperature_ == dropped);
    unscaled_->setEnabled(hasFigure() && dropped != 1);
    unscaled_->setToolTip(
        !isScaleKnown() ? whyNoScoreScale()
        : dropped == 1  ? tr("This model multiplies q · k by nothing that a temperature could undo.")
                       : tr("Temperature %1, which dropping the factor of q · k amounts to: softmax(q · k)")
                             .arg(axisNumber(dropped)));
    apply_->setEnabled(hasFigure() && temperature_ != 1);
    apply_->setToolTip(
        temperature_ == 1
            ? tr("The temperature is 1, as trained: choose another one to change the model.")
            : tr("Divide the scores of every head by %1, and decode again: a change that What-if "
                 "lists and undo takes back. The slider then stands at 1 of the changed model.")
                  .arg(axisNumber(temperature_)));
}

/// While a slider is dragged only what it changes is computed: one head's rows.
void ScaleView::showTemperature() {
    if (page() != Page::Temperature || !hasFigure())
        return;
    if (showsHeads())
        return showHeads();
    const auto kind = selection_->head().site.kind;
    const auto keys = tokenLabels(run_->keyTokens(kind));
    SoftMap map{.weights = analysis::softmaxOf(*scores_, temperature_),
                .open = scores_->open,
                .queries = tokenLabels(run_->queryTokens(kind)),
                .keys = keys,
                .row = row(),
                .spaceMarks = spaceMarks_};
    map.entropies = analysis::entropiesOfRows(*scores_, map.weights);
    const auto at = static_cast<std::size_t>(row());
    const auto soft = map.weights.row(at);
    const auto open = scores_->open.row(at);
    rowPlot_->setPicture(
        std::make_shared<RowPicture>(AttentionRow{.keys = keys,
                                                  .soft = {soft.begin(), soft.end()},
                                                  .open = {open.begin(), open.end()},
                                                  .hard = analysis::hardKey(scores_->scores.row(at), open),
                                                  .spaceMarks = spaceMarks_}));
    EntropyOverTemperature shown{.temperature = temperature_,
                                 .entropy = analysis::meanEntropy(map.entropies),
                                 .without = droppedScale()};
    if (const auto* answer = known()) {
        shown.curve = answer->curve;
        const QString head = QString::fromStdString(trace::toString(answer->question.head));
        if (answer->question.run != run_)
            shown.stillOf = tr("%1 of the run before").arg(head);
        else if (answer->question.head != selection_->head())
            shown.stillOf = head;
    }
    curvePlot_->setPicture(std::make_shared<EntropyPicture>(std::move(shown)));
    mapPlot_->setPicture(std::make_shared<SoftMapPicture>(std::move(map)));
    caption_->setText(caption());
}

void ScaleView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showTemperature();
    Q_EMIT questionChanged();
}

void ScaleView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT questionChanged();
}

} // namespace headscope::widgets

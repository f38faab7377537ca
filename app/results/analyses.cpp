#include "app/results/analyses.h"

#include <utility>

namespace headscope::app {

Analyses::Analyses(Results* answers, DecodeController* controller, QObject* parent)
    : QObject(parent), answers_(answers), controller_(controller) {
    connect(answers, &Results::changed, this, &Analyses::tell);
    connect(answers, &Results::refused, this, &Analyses::tellRefusal);
    connect(answers->queue(), &WorkQueue::busyChanged, this, &Analyses::followBusy);
    connect(controller, &DecodeController::asked, this,
            &Analyses::stopMeasuring); // it must not wait for heads
    connect(controller, &DecodeController::runChanged, this, &Analyses::follow);
    connect(controller, &DecodeController::ratherThanChanged, this, &Analyses::followContrast);
}

std::optional<trace::Request> Analyses::request() const {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return std::nullopt;
    auto request = controller_->shownRequest();
    request.ratherThan = controller_->ratherThan();
    return request;
}

/// What was measured is measured again, also where the contrast before was refused.
void Analyses::followContrast() {
    const bool measureAgain = measured_ || importance_;
    follow();
    if (measureAgain)
        measureImportance();
}

void Analyses::measureImportance() {
    measured_ = request();
    if (measured_)
        answers_->forgetRefusal(trace::Question{*measured_, trace::ImportanceWhat()});
    want();
    tell();
}

bool Analyses::isMeasuring() const {
    return measured_ && answers_->isAwaited(trace::Question{*measured_, trace::ImportanceWhat()});
}

void Analyses::stopMeasuring() {
    if (!isMeasuring())
        return;
    measured_.reset();
    want();
    tell();
}

Analyses::Earlier Analyses::earlier() const {
    const auto now = request();
    if (importance_ || isMeasuring() || !last_.run || !now)
        return {};
    const auto& of = last_.importance->request;
    const bool isOfSentence = now->source == of.source && now->padding == of.padding &&
                              now->ratherThan == of.ratherThan && now->decoding == of.decoding;
    return isOfSentence ? last_ : Earlier();
}

/// What was dropped for a request that came to nothing is asked for again.
void Analyses::followBusy() {
    if (std::exchange(wasDecoding_, controller_->isDecoding()) && !wasDecoding_)
        follow();
}

std::optional<trace::RefusalText> Analyses::whyNoLens() const {
    return of_ ? answers_->refusalOf(trace::Question{*of_, trace::LensWhat()}) : std::nullopt;
}

std::optional<trace::RefusalText> Analyses::whyNoImportance() const {
    return of_ ? answers_->refusalOf(trace::Question{*of_, trace::ImportanceWhat()}) : std::nullopt;
}

void Analyses::tellRefusal(const trace::Wanted& question, const trace::RefusalText& text) {
    if (of_ && question == trace::Wanted(trace::Question{*of_, trace::LensWhat()}))
        Q_EMIT lensRefused(text);
    else if (measured_ && question == trace::Wanted(trace::Question{*measured_, trace::ImportanceWhat()}))
        Q_EMIT importanceRefused(text);
}

void Analyses::readLens(bool on) {
    readLens_ = on;
    want();
    tell();
}

/// A run that still grows keeps what was computed of the one before, until there is something to compare.
void Analyses::follow() {
    const auto& run = controller_->run();
    if (run && !run->complete && controller_->isDecoding())
        return;
    if (!run) // another model was opened
        last_ = {};
    of_ = request();
    if (measured_ != of_)
        measured_.reset();
    want();
    tell();
}

void Analyses::want() {
    const auto& run = controller_->run();
    const bool hasLens = readLens_ && of_ && run && run->model->decoderLayers > 0;
    Results::Questions questions;
    if (hasLens)
        questions.push_back(trace::Question{*of_, trace::LensWhat()});
    if (measured_)
        questions.push_back(trace::Question{*measured_, trace::ImportanceWhat()});
    answers_->want(this, std::move(questions));
}

void Analyses::tell() {
    auto importance = of_ ? answers_->of(*of_, trace::ImportanceWhat()) : nullptr;
    auto lens = of_ && readLens_ ? answers_->of(*of_, trace::LensWhat()) : nullptr;
    if (importance && importance->complete && importance != last_.importance)
        last_ = {.run = controller_->run(), .importance = importance};
    const bool isOther = std::exchange(importance_, importance) != importance;
    const auto stays = earlier().importance; // of another sentence or model it goes
    if ((std::exchange(earlierShown_, stays) != stays) || isOther)
        Q_EMIT importanceChanged();
    if (std::exchange(lens_, lens) != lens)
        Q_EMIT lensChanged();
    if (const bool measuring = isMeasuring(); std::exchange(wasMeasuring_, measuring) != measuring)
        Q_EMIT measuringChanged();
}

} // namespace headscope::app

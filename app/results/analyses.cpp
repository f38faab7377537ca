#include "app/results/analyses.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

Analyses::Analyses(RunQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller) {
    connect(queue, &RunQueue::importanceMeasured, this, &Analyses::take);
    connect(queue, &RunQueue::busyChanged, this, &Analyses::followBusy);
    connect(queue, &RunQueue::lensRead, this, [this](auto lens) {
        if (lens->request.randomTwin)
            return; // TwinAnalyses'
        lens_ = std::move(lens);
        Q_EMIT lensChanged();
    });
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Lens || slot == Slot::Importance)
            Q_EMIT refused(slot, text);
    });
    connect(controller, &DecodeController::asked, this, &Analyses::giveWay);
    connect(controller, &DecodeController::runChanged, this, &Analyses::follow);
}

std::optional<trace::Request> Analyses::wanted() const {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return std::nullopt;
    auto request = controller_->shownRequest();
    request.ratherThan = ratherThan_;
    return request;
}

void Analyses::setRatherThan(const QString& token) {
    const QString trimmed = token.trimmed();
    auto contrast = trimmed.isEmpty() ? std::nullopt : std::optional(trimmed.toStdString());
    if (contrast == ratherThan_)
        return;
    ratherThan_ = std::move(contrast);
    const bool measureAgain = measured_.has_value(); // also where the contrast before was refused
    Q_EMIT ratherThanChanged();
    follow();
    if (measureAgain)
        measureImportance();
}

void Analyses::measureImportance() {
    if (isMeasuring() && measured_ == wanted())
        return;
    const auto request = wanted();
    if (!request || (importance_ && importance_->complete && measured_ == request))
        return;
    measured_ = request;
    queue_->measureImportance(*request);
}

void Analyses::take(std::shared_ptr<const trace::HeadImportance> importance) {
    constexpr std::size_t most = 8;
    if (importance->request.randomTwin)
        return; // TwinAnalyses'
    importance_ = std::move(importance);
    if (importance_->complete && measured_) {
        kept_.emplace_back(*measured_, importance_);
        last_ = {.run = controller_->run(), .importance = importance_};
    }
    if (kept_.size() > most)
        kept_.erase(kept_.begin());
    Q_EMIT importanceChanged();
}

Analyses::Earlier Analyses::earlier() const {
    const auto request = wanted();
    if (importance_ || isMeasuring() || !last_.run || !request)
        return {};
    const auto& of = last_.importance->request;
    const bool isOfSentence = request->source == of.source && request->padding == of.padding &&
                              request->ratherThan == of.ratherThan && request->decoding == of.decoding;
    return isOfSentence ? last_ : Earlier();
}

void Analyses::stopMeasuring() {
    queue_->stop(Slot::Importance);
    showImportance(std::nullopt);
}

void Analyses::giveWay() {
    if (isMeasuring())
        stopMeasuring();
}

/// What was dropped for a request that came to nothing is asked for again.
void Analyses::followBusy() {
    if (std::exchange(wasDecoding_, controller_->isDecoding()) && !wasDecoding_)
        follow();
    const bool measuring = isMeasuring();
    if (std::exchange(wasMeasuring_, measuring) != measuring)
        Q_EMIT measuringChanged();
}

void Analyses::readLens(bool on) {
    readLens_ = on;
    follow();
}

/// A run that still grows keeps what was computed of the one before, until there is something to compare.
void Analyses::follow() {
    const auto& run = controller_->run();
    if (run && !run->complete && controller_->isDecoding())
        return;
    if (!run) { // another model was opened
        kept_.clear();
        last_ = {};
    }
    const auto request = wanted();
    if (measured_ != request) {
        queue_->stop(Slot::Importance);
        showImportance(request);
    }
    if (const auto stays = earlier().importance; std::exchange(earlierShown_, stays) != stays)
        Q_EMIT importanceChanged(); // of another sentence or model it goes
    if (read_ != request || !readLens_)
        askForLens(); // also where there is a run, but not a whole one: it was stopped
}

/// What was measured of it before, else nothing.
void Analyses::showImportance(const std::optional<trace::Request>& request) {
    const auto kept =
        std::ranges::find_if(kept_, [&](const auto& measured) { return measured.first == request; });
    const bool isKept = kept != kept_.end();
    measured_ = isKept ? request : std::nullopt;
    auto importance = isKept ? kept->second : nullptr;
    if (std::exchange(importance_, importance) != importance)
        Q_EMIT importanceChanged();
}

void Analyses::askForLens() {
    queue_->stop(Slot::Lens);
    const auto& run = controller_->run();
    read_ = readLens_ && run && run->model->decoderLayers > 0 ? wanted() : std::nullopt;
    if (std::exchange(lens_, nullptr))
        Q_EMIT lensChanged();
    if (read_)
        queue_->readLens(*read_);
}

} // namespace headscope::app

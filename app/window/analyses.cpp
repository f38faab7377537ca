#include "app/window/analyses.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

Analyses::Analyses(RunQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller) {
    connect(queue, &RunQueue::importanceMeasured, this, [this](auto importance) {
        importance_ = std::move(importance);
        Q_EMIT importanceChanged();
    });
    connect(queue, &RunQueue::lensRead, this, [this](auto lens) {
        lens_ = std::move(lens);
        Q_EMIT lensChanged();
    });
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Lens || slot == Slot::Importance)
            Q_EMIT refused(slot, text);
    });
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
    const bool measureAgain = importance_ || isMeasuring();
    Q_EMIT ratherThanChanged();
    follow();
    if (measureAgain)
        measureImportance();
}

void Analyses::measureImportance() {
    measured_ = wanted();
    if (measured_)
        queue_->measureImportance(*measured_);
}

void Analyses::stopMeasuring() {
    queue_->stop(Slot::Importance);
    dropImportance();
}

void Analyses::readLens(bool on) {
    readLens_ = on;
    follow();
}

/// A run that still grows keeps what was computed of the one before, until there is something to compare.
void Analyses::follow() {
    const auto& run = controller_->run();
    if (run && !run->complete)
        return;
    const auto request = wanted();
    if (measured_ != request) {
        queue_->stop(Slot::Importance);
        dropImportance();
    }
    if (read_ != request || !readLens_)
        askForLens();
}

void Analyses::dropImportance() {
    measured_.reset();
    if (std::exchange(importance_, nullptr))
        Q_EMIT importanceChanged();
}

void Analyses::askForLens() {
    queue_->stop(Slot::Lens);
    read_ = readLens_ ? wanted() : std::nullopt;
    if (std::exchange(lens_, nullptr))
        Q_EMIT lensChanged();
    if (read_)
        queue_->readLens(*read_);
}

} // namespace headscope::app

#include "app/results/random_twin.h"

#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

RandomTwin::RandomTwin(RunQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller) {
    connect(queue, &RunQueue::runDelivered, this, &RandomTwin::take);
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot != Slot::Twin)
            return;
        drop();
        Q_EMIT refused(text);
    });
    connect(controller, &DecodeController::asked, this, [this] {
        queue_->stop(Slot::Twin); // of a run that is about to be another one
        asked_.reset();
    });
    connect(controller, &DecodeController::runChanged, this, &RandomTwin::follow);
    connect(queue, &RunQueue::busyChanged, this, [this] {
        if (!controller_->isDecoding() && !asked_)
            follow(); // what was asked for came to nothing
    });
}

void RandomTwin::setOn(bool on) {
    if (std::exchange(on_, on) == on)
        return;
    Q_EMIT switched();
    follow();
}

void RandomTwin::setSeed(std::uint64_t seed) {
    if (std::exchange(seed_, seed) == seed)
        return;
    Q_EMIT switched();
    follow();
}

/// What stands beside the run before stays until there is something new, so that nothing blinks.
void RandomTwin::follow() {
    const auto& run = controller_->run();
    if (!on_ || !run) {
        queue_->stop(Slot::Twin);
        asked_.reset();
        drop();
        return;
    }
    if (!run->complete)
        return;
    auto request = analysis::twinRequest(controller_->shownRequest(), *run, seed_);
    if (asked_ == request)
        return;
    asked_ = request;
    queue_->run(Slot::Twin, std::move(request));
}

void RandomTwin::take(Slot slot, const std::shared_ptr<const trace::Run>& run) {
    if (slot != Slot::Twin)
        return;
    shown_ = controller_->run();
    run_ = run;
    Q_EMIT runChanged();
}

void RandomTwin::drop() {
    shown_.reset();
    if (std::exchange(run_, nullptr))
        Q_EMIT runChanged();
}

} // namespace headscope::app

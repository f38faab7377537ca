#include "app/results/random_twin.h"

#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

namespace {

constexpr std::size_t keptRuns = 1; ///< they are whole runs

} // namespace

RandomTwin::RandomTwin(WorkQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), controller_(controller), answers_(queue, JobKind::Twin, keptRuns) {
    connect(&answers_, &KnownAnswers::changed, this, &RandomTwin::take);
    connect(&answers_, &KnownAnswers::refused, this, [this](const trace::RefusalText& text) {
        drop();
        Q_EMIT refused(text);
    });
    connect(controller, &DecodeController::asked, this, [this] {
        answers_.want({}); // of a run that is about to be another one
        wanted_.reset();
    });
    connect(controller, &DecodeController::runChanged, this, &RandomTwin::follow);
    connect(queue, &WorkQueue::busyChanged, this, [this] {
        if (!controller_->isDecoding() && !wanted_)
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
        wanted_.reset();
        answers_.forgetAll();
        drop();
        return;
    }
    if (!run->complete)
        return;
    auto request = analysis::twinRequest(controller_->shownRequest(), *run, seed_);
    if (wanted_ == request)
        return;
    wanted_ = request;
    answers_.forgetRefusal({.request = request, .what = trace::RunWhat()});
    answers_.want({{.request = std::move(request), .what = trace::RunWhat()}});
    take(); // where it is known already
}

void RandomTwin::take() {
    auto run = wanted_ ? answers_.of(*wanted_, trace::RunWhat()) : nullptr;
    if (!run || (run == run_ && shown_ == controller_->run()))
        return;
    shown_ = controller_->run();
    run_ = std::move(run);
    Q_EMIT runChanged();
}

void RandomTwin::drop() {
    shown_.reset();
    if (std::exchange(run_, nullptr))
        Q_EMIT runChanged();
}

} // namespace headscope::app

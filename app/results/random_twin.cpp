#include "app/results/random_twin.h"

#include "model/analysis/runs_beside.h"

#include <utility>

namespace headscope::app {

RandomTwin::RandomTwin(Results* answers, DecodeController* controller, QObject* parent)
    : QObject(parent), answers_(answers), controller_(controller) {
    connect(answers, &Results::changed, this, &RandomTwin::take);
    connect(answers, &Results::refused, this,
            [this](const trace::Wanted& question, const trace::RefusalText& text) {
                if (!wanted_ || question != trace::Wanted(trace::Question{*wanted_, trace::RunWhat()}))
                    return;
                drop();
                Q_EMIT refused(text);
            });
    connect(controller, &DecodeController::asked, this, [this] {
        answers_->want(this, {}); // of a run that is about to be another one
        wanted_.reset();
    });
    connect(controller, &DecodeController::runChanged, this, &RandomTwin::follow);
    connect(answers->queue(), &WorkQueue::busyChanged, this, [this] {
        if (!controller_->isDecoding() && !wanted_)
            follow(); // what was asked for came to nothing
    });
}

std::optional<trace::RefusalText> RandomTwin::whyNone() const {
    return wanted_ ? answers_->refusalOf(trace::Question{*wanted_, trace::RunWhat()}) : std::nullopt;
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
        answers_->want(this, {});
        drop();
        return;
    }
    if (!run->complete)
        return;
    auto request = analysis::twinRequest(controller_->shownRequest(), *run, seed_);
    if (wanted_ == request)
        return;
    wanted_ = request;
    answers_->forgetRefusal(trace::Question{request, trace::RunWhat()});
    answers_->want(this, {trace::Question{request, trace::RunWhat()}});
    take(); // where it is known already
}

void RandomTwin::take() {
    auto run = wanted_ ? answers_->of(*wanted_, trace::RunWhat()) : nullptr;
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

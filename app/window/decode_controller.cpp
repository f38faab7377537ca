#include "app/window/decode_controller.h"

#include <algorithm>

namespace headscope::app {

namespace {

constexpr int maximumLength = 60; // generated tokens, as the command line's default

} // namespace

DecodeController::DecodeController(RunQueue* queue, widgets::Selection* selection, QObject* parent)
    : QObject(parent), queue_(queue), selection_(selection) {
    connect(queue, &RunQueue::runDelivered, this, &DecodeController::take);
}

void DecodeController::clear() {
    queue_->stop(RunQueue::Slot::Main);
    run_.reset();
    Q_EMIT runChanged(run_);
}

void DecodeController::take(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    const int last = std::max(0, steps() - 1);
    if (after_ == After::ToLast)
        selection_->setStep(last);
    else
        selection_->setStep(after_ == After::ToStart ? 0 : std::min(selection_->step(), last));
    if (run_->complete)
        after_ = After::Stay;
    Q_EMIT runChanged(run_);
}

void DecodeController::decode(const trace::Source& source) {
    request_.source = source;
    request_.paths.clear();
    after_ = After::ToStart;
    submit({.newTokens = stepByStep_ ? 1 : maximumLength}, true);
}

void DecodeController::setPadding(int source, int target) {
    request_.padding = {.source = source, .target = target};
    if (!run_)
        return;
    after_ = After::Stay;
    queue_->run(request_);
}

void DecodeController::submit(trace::DecodePath path, bool newBranch) {
    // A path that only grows replaces itself; another choice is a branch beside the ones there are.
    if (!newBranch && !request_.paths.empty())
        request_.paths.pop_back();
    request_.paths.push_back(std::move(path));
    queue_->run(request_);
}

std::vector<std::int64_t> DecodeController::decodedIds() const {
    std::vector<std::int64_t> ids;
    for (const auto node : run_->path)
        if (run_->tree.node(node).token.role != trace::TokenRole::Padding)
            ids.push_back(run_->tree.node(node).token.id);
    return ids;
}

int DecodeController::tokensLeft(std::size_t forced) const {
    return std::max(1, maximumLength + 1 - static_cast<int>(forced)); // the start token is not generated
}

bool DecodeController::isFinished() const {
    if (!run_ || run_->path.empty())
        return true;
    const auto ids = decodedIds();
    return (ids.size() > 1 && ids.back() == run_->model->special.end) ||
           static_cast<int>(ids.size()) > maximumLength;
}

void DecodeController::toStart() {
    goTo(0);
}

void DecodeController::back() {
    goTo(selection_->step() - 1);
}

void DecodeController::forward() {
    if (selection_->step() + 1 < steps() || !run_ || isFinished() || isDecoding()) {
        goTo(selection_->step() + 1);
        return;
    }
    after_ = After::ToLast;
    submit({.forced = trace::TargetIds{decodedIds()}, .newTokens = 1}, false);
}

void DecodeController::toEnd() {
    if (!run_ || isFinished() || isDecoding()) {
        goTo(steps() - 1);
        return;
    }
    const auto ids = decodedIds();
    after_ = After::ToLast;
    submit({.forced = trace::TargetIds{ids}, .newTokens = tokensLeft(ids.size())}, false);
}

void DecodeController::stop() {
    queue_->stop(RunQueue::Slot::Main);
}

void DecodeController::goTo(int step) {
    if (steps() > 0)
        selection_->setStep(std::clamp(step, 0, steps() - 1));
}

void DecodeController::choose(int step, std::int64_t id) {
    if (!run_ || step < 0 || step >= steps())
        return;
    std::vector<std::int64_t> ids;
    for (int t = 0; t <= step; ++t)
        ids.push_back(run_->target[static_cast<std::size_t>(t)].id);
    ids.push_back(id);
    after_ = After::Stay;
    const int left = stepByStep_ ? 1 : tokensLeft(ids.size());
    submit({.forced = trace::TargetIds{std::move(ids)}, .newTokens = left}, true);
}

} // namespace headscope::app

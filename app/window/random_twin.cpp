#include "app/window/random_twin.h"

#include "model/trace/run_path.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;
using trace::TokenRole;

/// What was said along the shown path, the start token first and padding left out.
std::vector<trace::DecodeTree::NodeId> saidNodes(const trace::Run& run) {
    auto path = run.path;
    const auto isPadding = [&](auto node) { return run.tree.node(node).token.role == TokenRole::Padding; };
    path.erase(std::remove_if(path.begin() + 1, path.end(), isPadding), path.end());
    return path;
}

/// The same rows, with the same tokens chosen after them.
trace::DecodePath readingOf(const trace::Run& run, const std::vector<trace::DecodeTree::NodeId>& said) {
    trace::TargetIds ids;
    for (const auto node : said)
        ids.ids.push_back(run.tree.node(node).token.id);
    // Of a reference nothing was chosen; else the last token was chosen, and fed only where padding follows.
    const bool isReference = trace::readsReference(run);
    return {.forced = std::move(ids), .newTokens = isReference ? 0 : 1, .ends = !isReference};
}

} // namespace

trace::Request twinRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed) {
    shown.randomTwin = seed;
    if (run.path.empty())
        return shown;
    const auto said = saidNodes(run);
    const auto start = run.tree.node(said.front()).token.id;
    const int longest = std::max(1, 2 * (static_cast<int>(said.size()) - 1));
    shown.paths = {{.forced = trace::TargetIds{{start}}, .newTokens = longest}, readingOf(run, said)};
    return shown;
}

trace::Request readingRequest(trace::Request shown, const trace::Run& run) {
    shown.paths = {run.path.empty() ? shown.paths.back() : readingOf(run, saidNodes(run))};
    return shown;
}

trace::Request twinReadingRequest(trace::Request shown, const trace::Run& run, std::uint64_t seed) {
    shown.randomTwin = seed;
    return readingRequest(std::move(shown), run);
}

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
    auto request = twinRequest(controller_->shownRequest(), *run, seed_);
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

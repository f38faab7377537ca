#include "app/document/decode_controller.h"
#include "model/analysis/self_check.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

trace::DecodePath DecodeController::asItIs() const {
    // Its tokens were chosen, the last one perhaps not fed: one more is chosen after a fed one, as it was in
    // the tree it comes from.
    const bool isFed = run_->tree.node(run_->path.back()).row != nullptr;
    return {.forced = trace::TargetIds{decodedIds()}, .newTokens = 1, .goesOn = isFed, .ends = !isFed};
}

void DecodeController::showLeaf(trace::DecodeTree::NodeId leaf, int step) {
    wantedStep_ = step;
    turning_ = true;
    queue_->compute(RunQueue::Slot::Main, this, [this, run = run_, leaf] {
        const auto other = trace::atPath(*run, leaf);
        other->selfCheck = analysis::selfCheck(*other, std::nullopt);
        return [this, other] { take(RunQueue::Slot::Main, other); };
    });
}

/// Not while something else is on its way that would be lost.
bool DecodeController::canTurn() const {
    return run_ && run_->complete && (!isDecoding() || turning_);
}

void DecodeController::showPath(std::size_t path, std::optional<int> step) {
    if (!canTurn() || path >= run_->paths.size())
        return;
    const int wanted = step.value_or(selection_->step());
    if (!turning_ && trace::shownPath(*run_) == path) {
        goTo(wanted);
        return;
    }
    if (trace::canShowEveryPath(*run_)) {
        showLeaf(run_->paths[path].leaf, wanted);
        return;
    }
    auto request = run_->request;
    const auto chosen = request.paths.begin() + static_cast<std::ptrdiff_t>(path);
    std::rotate(chosen, chosen + 1, request.paths.end());
    ask(std::move(request), wanted);
}

void DecodeController::showNode(trace::DecodeTree::NodeId node) {
    if (!canTurn() || !run_->tree.node(node).parent)
        return;
    const int step = static_cast<int>(run_->tree.path(node).size()) - 2;
    if (trace::canShowEveryPath(*run_))
        showLeaf(node, step);
    else if (std::ranges::find(run_->path, node) != run_->path.end())
        goTo(step); // of the shown path, whose rows are there
}

void DecodeController::restore(
    const Restored& restored,
    const std::function<std::shared_ptr<const trace::Run>(const trace::Request&)>& kept) {
    halt();
    padding_ = restored.request.padding;
    interventions_ = restored.request.interventions;
    decoding_ = restored.request.decoding;
    newTokens_ = restored.newTokens;
    Q_EMIT decodingChanged();
    if (auto run = kept(completed(restored.request, interventions_))) {
        wantedPath_ = restored.shown;
        wantedStep_ = restored.step;
        take(RunQueue::Slot::Main, std::move(run));
        return;
    }
    ask(restored.request, restored.step);
    wantedPath_ = restored.shown;
}

void DecodeController::showWanted() {
    if (wantedPath_.empty() || !run_->complete)
        return;
    const auto ids = std::exchange(wantedPath_, {});
    trace::DecodeTree::NodeId node = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
        const auto next = run_->tree.child(node, ids[i]);
        if (!next)
            return; // another model says something else
        node = *next;
    }
    if (trace::canShowEveryPath(*run_) && run_->tree.node(node).parent)
        showLeaf(node, wantedStep_.value_or(selection_->step()));
}

void DecodeController::removePath(std::size_t path) {
    if (!run_ || !run_->complete || path >= run_->request.paths.size() || run_->request.paths.size() < 2)
        return;
    auto request = run_->request;
    request.paths.erase(request.paths.begin() + static_cast<std::ptrdiff_t>(path));
    if (const auto shown = trace::shownPath(*run_); shown && *shown != path) {
        const auto kept =
            request.paths.begin() + static_cast<std::ptrdiff_t>(*shown - (*shown > path ? 1 : 0));
        std::rotate(kept, kept + 1, request.paths.end());
    }
    ask(std::move(request), selection_->step());
}

void DecodeController::force(const trace::TargetPrefix& target) {
    if (!run_)
        return;
    auto request = run_->complete ? run_->request : shownRequest();
    request.paths.push_back({.forced = target, .newTokens = 0});
    ask(std::move(request), 0);
}

} // namespace headscope::app

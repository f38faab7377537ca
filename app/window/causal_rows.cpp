#include "app/window/causal_rows.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using Slot = RunQueue::Slot;

constexpr std::size_t mostKept = 64; ///< for who steps back and forth

} // namespace

CausalRows::CausalRows(RunQueue* queue, DecodeController* controller, widgets::Selection* selection,
                       QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), selection_(selection) {
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::CausalRow)
            take(nullptr,
                 QString::fromStdString(text.wayOut.empty() ? text.what : text.what + ": " + text.wayOut));
    });
    connect(controller, &DecodeController::asked, this, [this] {
        queue_->stop(Slot::CausalRow); // of a run that is about to be another one
        asked_.reset();
    });
    connect(controller, &DecodeController::runChanged, this, &CausalRows::follow);
    connect(selection, &widgets::Selection::headChanged, this, &CausalRows::follow);
    connect(selection, &widgets::Selection::stepChanged, this, &CausalRows::follow);
}

void CausalRows::setWanted(bool wanted) {
    if (std::exchange(wanted_, wanted) != wanted)
        follow();
}

/// Of the shown run's shown path; nothing as long as it is not complete.
std::optional<trace::Request> CausalRows::request() const {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return std::nullopt;
    auto request = controller_->shownRequest();
    request.paths = {request.paths.back()};
    return request;
}

std::vector<CausalRows::Want> CausalRows::wants() const {
    const auto& run = controller_->run();
    const auto head = selection_->head();
    const int step = selection_->step();
    if (!wanted_ || !run || head.site.kind != trace::AttentionKind::Cross || !run->record(head.site) ||
        step < 0 || static_cast<std::size_t>(step) >= run->next.size())
        return {};
    const auto at = static_cast<std::size_t>(step);
    return {{at, std::nullopt}, {at, head}};
}

const CausalRows::Answer* CausalRows::answer(const Want& want) const {
    const auto found = std::ranges::find(answers_, want, &Answer::want);
    return found == answers_.end() ? nullptr : &*found;
}

widgets::ShownCause CausalRows::cause() const {
    widgets::ShownCause cause;
    for (const Want& want : wants()) {
        const Answer* known = answer(want);
        (want.head ? cause.here : cause.everywhere) = known ? known->row : nullptr;
        cause.isAwaited = cause.isAwaited || !known;
        if (known && cause.whyNot.isEmpty())
            cause.whyNot = known->whyNot;
    }
    return cause;
}

void CausalRows::follow() {
    if (auto current = request(); current != request_) {
        request_ = std::move(current);
        answers_.clear();
        asked_.reset();
        queue_->stop(Slot::CausalRow);
    }
    Q_EMIT changed();
    askNext();
}

void CausalRows::askNext() {
    const auto all = wants();
    const auto missing = std::ranges::find_if(all, [&](const Want& want) { return !answer(want); });
    if (!request_ || missing == all.end()) {
        if (std::exchange(asked_, std::nullopt))
            queue_->stop(Slot::CausalRow);
        return;
    }
    if (asked_ == *missing)
        return;
    asked_ = *missing;
    queue_->ask(Slot::CausalRow, this,
                [this, want = *missing, request = *request_](engine::Engine& engine, std::stop_token stop) {
                    auto row = engine.causalRow(request, want.step, want.head, std::move(stop));
                    return [this, row] { take(row, {}); };
                });
}

void CausalRows::take(std::shared_ptr<const trace::CausalRow> row, const QString& whyNot) {
    if (!asked_)
        return;
    answers_.push_back({*std::exchange(asked_, std::nullopt), std::move(row), whyNot});
    if (answers_.size() > mostKept)
        answers_.erase(answers_.begin());
    Q_EMIT changed();
    askNext();
}

} // namespace headscope::app

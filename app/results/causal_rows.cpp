#include "app/results/causal_rows.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;

constexpr std::size_t mostRowsKept = 128; ///< for who steps back and forth
/// Of one job: what is more urgent waits no longer.
constexpr std::chrono::milliseconds causalSlice(100);
constexpr std::size_t firstKeys = 16; ///< before it is known how long one takes

/// As many as take a slice, if `count` of them took `time`.
std::size_t keysOfSlice(std::size_t count, std::chrono::steady_clock::duration time) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const double one = std::max(Milliseconds(time).count(), 0.01) / static_cast<double>(count);
    // A slice has costs of its own, however few its keys.
    return std::clamp<std::size_t>(static_cast<std::size_t>(Milliseconds(causalSlice).count() / one),
                                   firstKeys, 4 * std::max(count, firstKeys));
}

} // namespace

CausalRows::CausalRows(WorkQueue* queue, DecodeController* controller, widgets::Selection* selection,
                       QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), selection_(selection) {
    connect(controller, &DecodeController::asked, this, [this] {
        queue_->stop(JobKind::CausalRow); // of a run that is about to be another one
        asked_.reset();
    });
    connect(controller, &DecodeController::runChanged, this, &CausalRows::follow);
    connect(controller, &DecodeController::ratherThanChanged, this, &CausalRows::follow);
    connect(selection, &widgets::Selection::headChanged, this, &CausalRows::lookElsewhere);
    connect(selection, &widgets::Selection::stepChanged, this, &CausalRows::lookElsewhere);
}

void CausalRows::setWanted(bool wanted) {
    if (std::exchange(wanted_, wanted) != wanted)
        follow();
}

void CausalRows::setAskedFor(bool asked) {
    if (std::exchange(askedFor_, asked) != asked)
        lookElsewhere();
}

void CausalRows::setAlsoShown(const std::vector<trace::HeadAddress>& heads) {
    if (std::exchange(alsoShown_, heads) != heads)
        lookElsewhere();
}

void CausalRows::stopMeasuring() {
    if (!isMeasuring())
        return;
    stoppedAt_ = measured_;
    asked_.reset();
    queue_->stop(JobKind::CausalRow);
    Q_EMIT changed();
}

/// What a person stopped was of what they looked at then.
void CausalRows::lookElsewhere() {
    stoppedAt_.reset();
    follow();
}

/// Of the shown run's shown path; nothing as long as it is not complete.
std::optional<trace::Request> CausalRows::request() const {
    const auto& run = controller_->run();
    if (!run || !run->complete)
        return std::nullopt;
    auto request = controller_->shownRequest();
    request.paths = {request.paths.back()};
    request.ratherThan = controller_->ratherThan();
    return request;
}

std::vector<CausalRows::Want> CausalRows::wantsOf(const trace::HeadAddress& head) const {
    const auto& run = controller_->run();
    const int step = selection_->step();
    if (!wanted_ || !run || head.site.kind != trace::AttentionKind::Cross || !run->record(head.site) ||
        step < 0 || static_cast<std::size_t>(step) >= run->next.size())
        return {};
    const auto at = static_cast<std::size_t>(step);
    return {{at, std::nullopt}, {at, head}};
}

std::vector<CausalRows::Want> CausalRows::wants() const {
    auto all = wantsOf(selection_->head());
    for (const auto& head : alsoShown_)
        for (const Want& want : wantsOf(head))
            if (std::ranges::find(all, want) == all.end())
                all.push_back(want);
    return all;
}

const CausalRows::Answer* CausalRows::answer(const Want& want) const {
    const auto found = std::ranges::find(answers_, want, &Answer::want);
    return found == answers_.end() ? nullptr : &*found;
}

std::size_t CausalRows::sourceTokens() const {
    const auto& run = controller_->run();
    return run ? run->source.size() : 0;
}

QString CausalRows::whyNotMeasured() const {
    if (stoppedAt_)
        return tr("stopped after %1 of %2 source tokens. Select another step or head to restart.")
            .arg(*stoppedAt_)
            .arg(sourceTokens());
    if (sourceTokens() > longestUnasked && !askedFor_)
        return tr("knock-out losses of %1 source tokens (more than %2) are measured on request: turn on "
                  "Knock-out Loss per Source Token.")
            .arg(sourceTokens())
            .arg(longestUnasked);
    return {};
}

widgets::ShownCause CausalRows::causeAt(const trace::HeadAddress& head) const {
    widgets::ShownCause cause;
    for (const Want& want : wantsOf(head)) {
        const Answer* known = answer(want);
        (want.head ? cause.here : cause.everywhere) = known ? known->row : nullptr;
        cause.isAwaited = cause.isAwaited || !known;
        if (known && known->refused && cause.whyNot.isEmpty())
            cause.whyNot = QString::fromStdString(known->refused->wayOut.empty()
                                                      ? known->refused->what
                                                      : known->refused->what + ": " + known->refused->wayOut);
    }
    if (const QString why = whyNotMeasured(); cause.isAwaited && !why.isEmpty()) {
        cause.isAwaited = false;
        cause.whyNot = why;
    } else if (cause.isAwaited && isMeasuring() && (!asked_->head || asked_->head == head)) {
        cause.progress = (asked_->head ? tr("Measured in this head alone: %1 of %2 source tokens.")
                                       : tr("Measured: %1 of %2 source tokens."))
                             .arg(measured_)
                             .arg(sourceTokens());
    }
    return cause;
}

std::optional<trace::RefusalText> CausalRows::refusalAt(const trace::HeadAddress& head) const {
    for (const Want& want : wantsOf(head))
        if (const Answer* known = answer(want); known && known->refused)
            return known->refused;
    return std::nullopt;
}

void CausalRows::follow() {
    if (auto current = request(); current != request_) {
        request_ = std::move(current);
        answers_.clear();
        asked_.reset();
        stoppedAt_.reset();
        queue_->stop(JobKind::CausalRow);
    }
    Q_EMIT changed();
    askNext();
}

void CausalRows::askNext() {
    const auto all = wants();
    const auto missing = std::ranges::find_if(all, [&](const Want& want) { return !answer(want); });
    if (!request_ || missing == all.end() || !whyNotMeasured().isEmpty()) {
        if (std::exchange(asked_, std::nullopt))
            queue_->stop(JobKind::CausalRow);
        return;
    }
    if (asked_ == *missing)
        return;
    asked_ = *missing;
    part_.reset();
    measured_ = 0;
    measure({.first = 0, .last = firstKeys});
}

void CausalRows::measure(trace::KeyRange keys) {
    queue_->ask(
        JobKind::CausalRow, this,
        [this, want = *asked_, request = *request_, keys](engine::Engine& engine, const trace::Task& work) {
            const auto begin = std::chrono::steady_clock::now();
            const auto part =
                engine.of(request, trace::CausalRowWhat{.step = want.step, .head = want.head, .keys = keys},
                          work.stop());
            const auto time = std::chrono::steady_clock::now() - begin;
            return [this, part, keys, time] { add(*part, keys, time); };
        },
        {.refused = [this](const trace::RefusalText& text) { take(nullptr, text); }});
}

void CausalRows::add(const trace::CausalRow& part, trace::KeyRange keys,
                     std::chrono::steady_clock::duration time) {
    if (!asked_)
        return;
    if (!part_)
        part_ = std::make_shared<trace::CausalRow>(part);
    const std::size_t all = part.drops.size();
    measured_ = std::min(keys.last, all);
    for (std::size_t key = keys.first; key < measured_; ++key)
        part_->drops[key] = part.drops[key];
    if (measured_ == all)
        return take(std::exchange(part_, nullptr), {});
    measure({.first = measured_, .last = measured_ + keysOfSlice(keys.last - keys.first, time)});
    Q_EMIT changed();
}

void CausalRows::take(std::shared_ptr<const trace::CausalRow> row,
                      std::optional<trace::RefusalText> refused) {
    if (!asked_)
        return;
    answers_.push_back({*std::exchange(asked_, std::nullopt), std::move(row), std::move(refused)});
    if (answers_.size() > mostRowsKept)
        answers_.erase(answers_.begin());
    Q_EMIT changed();
    askNext();
}

} // namespace headscope::app

#include "app/results/known_answers.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

KnownAnswers::KnownAnswers(WorkQueue* queue, WorkQueue::JobKind kind, std::size_t mostKept, QObject* parent)
    : QObject(parent), queue_(queue), kind_(kind), mostKept_(mostKept) {
    connect(queue, &WorkQueue::modelOpened, this, [this] { // a question does not say whose answer it wants
        forgetAll();
        Q_EMIT changed();
    });
    // Work is dropped where another model is opened.
    connect(queue, &WorkQueue::busyChanged, this, [this] {
        if (asked_ && !queue_->isBusy(kind_)) {
            drop();
            Q_EMIT changed();
        }
    });
}

const KnownAnswers::Known* KnownAnswers::find(const trace::Question& question) const {
    const auto found = std::ranges::find(known_, question, &Known::question);
    return found == known_.end() ? nullptr : &*found;
}

std::optional<trace::RefusalText> KnownAnswers::refusalOf(const trace::Question& question) const {
    const Known* known = find(question);
    return known ? known->refused : std::nullopt;
}

void KnownAnswers::want(std::vector<trace::Question> questions) {
    wanted_ = std::move(questions);
    askNext();
}

void KnownAnswers::forgetRefusal(const trace::Question& question) {
    std::erase_if(known_, [&](const Known& known) { return known.refused && known.question == question; });
}

void KnownAnswers::forgetAll() {
    wanted_.clear();
    drop();
    known_.clear();
}

void KnownAnswers::askNext() {
    if (asked_ && std::ranges::find(wanted_, *asked_) == wanted_.end())
        drop();
    const auto missing = std::ranges::find_if(wanted_, [this](const trace::Question& question) {
        const Known* known = find(question);
        return !known || !known->isComplete;
    });
    if (missing == wanted_.end() || asked_ == *missing)
        return;
    auto next = *missing; // others may want something else as it is told that the one before is dropped
    drop();
    asked_ = std::move(next);
    ask();
}

void KnownAnswers::ask() {
    const auto& question = *asked_;
    const WorkQueue::Heard heard{.refused = [this](const trace::RefusalText& text) {
        take({.question = *asked_, .answer = {}, .refused = text});
    }};
    const bool inParts = std::holds_alternative<trace::ImportanceWhat>(question.what);
    queue_->answer(
        kind_, this, question, inParts,
        [this](trace::Answer answer, bool isWhole) {
            take({.question = *asked_, .answer = std::move(answer), .refused = {}, .isComplete = isWhole});
        },
        heard);
}

void KnownAnswers::take(Known known) {
    std::erase_if(known_, [&](const Known& each) { return each.question == known.question; });
    const bool isComplete = known.isComplete;
    const auto refusal = known.refused;
    known_.push_back(std::move(known));
    if (isComplete) {
        asked_.reset();
        dropOldest();
    }
    Q_EMIT changed();
    if (refusal)
        Q_EMIT refused(*refusal);
    if (isComplete)
        askNext();
}

/// Stops the pending question and discards its partial answer.
void KnownAnswers::drop() {
    if (!std::exchange(asked_, std::nullopt))
        return;
    queue_->stop(kind_);
    std::erase_if(known_, [](const Known& known) { return !known.isComplete; });
}

void KnownAnswers::dropOldest() {
    const auto isWanted = [this](const Known& known) {
        return std::ranges::find(wanted_, known.question) != wanted_.end();
    };
    auto unwanted = static_cast<std::size_t>(
        std::ranges::count_if(known_, [&](const Known& known) { return !isWanted(known); }));
    std::erase_if(known_, [&](const Known& known) {
        if (unwanted <= mostKept_ || isWanted(known))
            return false;
        --unwanted;
        return true;
    });
}

} // namespace headscope::app

#include "app/results/known_answers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

constexpr auto kind = WorkQueue::JobKind::Answers;

/// Lower comes first: what is in sight at once, what takes a moment, what takes long; the twin's later.
int urgency(const trace::Question& question) {
    constexpr int ofTwin = 10;
    if (std::holds_alternative<trace::RunWhat>(question.what))
        return 0;
    const int later = question.request.randomTwin ? ofTwin : 0;
    if (std::holds_alternative<trace::ImportanceWhat>(question.what))
        return later + 3;
    return later + (std::holds_alternative<trace::LensWhat>(question.what) ? 2 : 1);
}

/// Answers that nobody wants any more, of this kind: runs and lenses are large, and of the others as many
/// stay as are looked at by who steps back and forth, or switches a head off and on again.
std::size_t mostKept(const trace::Question& question) {
    const bool isLarge = std::holds_alternative<trace::RunWhat>(question.what) ||
                         std::holds_alternative<trace::LensWhat>(question.what);
    return isLarge ? 1 : 32;
}

/// Of maps that nobody wants any more: those of long sentences are large.
constexpr std::size_t mostBytesUnwanted = 128 << 20;

std::size_t bytesOf(const trace::Answer& answer) {
    const auto* maps = std::get_if<std::shared_ptr<const trace::QuantityMaps>>(&answer);
    return maps && *maps ? (*maps)->values.values().size_bytes() : 0;
}

} // namespace

KnownAnswers::KnownAnswers(WorkQueue* queue, QObject* parent) : QObject(parent), queue_(queue) {
    connect(queue, &WorkQueue::modelOpened, this, [this] { // a question does not say whose answer it wants
        forgetAll();
        Q_EMIT changed();
    });
    connect(queue, &WorkQueue::busyChanged, this, &KnownAnswers::followBusy);
}

/// Work is dropped where another model is opened.
void KnownAnswers::followBusy() {
    if (!asked_ || queue_->isBusy(kind))
        return;
    for (auto& [by, questions] : wanted_)
        std::erase(questions, *asked_);
    drop();
    Q_EMIT changed();
}

const KnownAnswers::Known* KnownAnswers::find(const trace::Question& question) const {
    const auto found = std::ranges::find(known_, question, &Known::question);
    return found == known_.end() ? nullptr : &*found;
}

std::optional<trace::RefusalText> KnownAnswers::refusalOf(const trace::Question& question) const {
    const Known* known = find(question);
    return known ? known->refused : std::nullopt;
}

bool KnownAnswers::isWanted(const trace::Question& question) const {
    return std::ranges::any_of(wanted_, [&](const auto& wanted) {
        return std::ranges::find(wanted.second, question) != wanted.second.end();
    });
}

bool KnownAnswers::isMissing(const trace::Question& question) const {
    const Known* known = find(question);
    return !known || !known->isComplete;
}

bool KnownAnswers::isAwaited(const trace::Question& question) const {
    return isWanted(question) && isMissing(question);
}

void KnownAnswers::want(const QObject* by, std::vector<trace::Question> questions) {
    const auto before = std::ranges::find(wanted_, by, [](const auto& wanted) { return wanted.first; });
    if (before != wanted_.end())
        before->second = std::move(questions);
    else {
        wanted_.emplace_back(by, std::move(questions));
        connect(by, &QObject::destroyed, this, [this, by] {
            std::erase_if(wanted_, [by](const auto& wanted) { return wanted.first == by; });
        });
    }
    askNext();
}

void KnownAnswers::forgetRefusal(const trace::Question& question) {
    std::erase_if(known_, [&](const Known& known) { return known.refused && known.question == question; });
}

void KnownAnswers::forgetAll() {
    for (auto& [by, questions] : wanted_)
        questions.clear();
    drop();
    known_.clear();
}

/// What is under way goes on for as long as somebody wants it: heads that were measured are not measured
/// again.
void KnownAnswers::askNext() {
    if (asked_ && isWanted(*asked_))
        return;
    drop();
    if (asked_)
        return; // by who was told of that
    const trace::Question* next = nullptr;
    for (const auto& [by, questions] : wanted_)
        for (const auto& question : questions)
            if (isMissing(question) && (!next || urgency(question) < urgency(*next)))
                next = &question;
    if (!next)
        return;
    asked_ = *next;
    ask();
}

void KnownAnswers::ask() {
    const auto& question = *asked_;
    const bool inParts = std::holds_alternative<trace::ImportanceWhat>(question.what);
    queue_->answer(
        kind, this, question, inParts,
        [this](trace::Answer answer, bool isWhole) {
            take({.question = *asked_, .answer = std::move(answer), .refused = {}, .isComplete = isWhole});
        },
        {.refused = [this](const trace::RefusalText& text) {
            take({.question = *asked_, .answer = {}, .refused = text});
        }});
}

void KnownAnswers::take(Known known) {
    std::erase_if(known_, [&](const Known& each) { return each.question == known.question; });
    const bool isComplete = known.isComplete;
    const auto question = known.question;
    const auto refusal = known.refused;
    known_.push_back(std::move(known));
    if (isComplete) {
        asked_.reset();
        dropOldest();
    }
    Q_EMIT changed();
    if (refusal)
        Q_EMIT refused(question, *refusal);
    if (isComplete)
        askNext();
}

/// Stops the pending question and discards its partial answer.
void KnownAnswers::drop() {
    if (!std::exchange(asked_, std::nullopt))
        return;
    queue_->stop(kind);
    std::erase_if(known_, [](const Known& known) { return !known.isComplete; });
}

void KnownAnswers::dropOldest() {
    const auto newest = known_.back().question;
    const auto isUnwanted = [&](const Known& known) {
        return known.question.what.index() == newest.what.index() && !isWanted(known.question);
    };
    std::size_t count = 0, bytes = 0;
    for (const Known& known : known_)
        if (isUnwanted(known)) {
            ++count;
            bytes += bytesOf(known.answer);
        }
    std::erase_if(known_, [&](const Known& known) {
        if ((count <= mostKept(newest) && bytes <= mostBytesUnwanted) || !isUnwanted(known))
            return false;
        --count;
        bytes -= bytesOf(known.answer);
        return true;
    });
}

} // namespace headscope::app

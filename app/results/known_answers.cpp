#include "app/results/known_answers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;

bool takesLong(const trace::Question& question) {
    return std::holds_alternative<trace::LensWhat>(question.what) ||
           std::holds_alternative<trace::ImportanceWhat>(question.what);
}

/// Lower comes first: the twin's after the model's, and heads, of which there are many, last.
int urgency(const trace::Question& question) {
    if (std::holds_alternative<trace::RunWhat>(question.what))
        return 0;
    return (std::holds_alternative<trace::ImportanceWhat>(question.what) ? 2 : 1) +
           (question.request.randomTwin ? 2 : 0);
}

/// Number of unwanted answers that are kept, of each kind: runs and lenses are large; of others there are as
/// many as stepping back and forth, or switching a head off and on again, needs.
std::size_t mostKept(const trace::Question& question) {
    const bool isLarge = std::holds_alternative<trace::RunWhat>(question.what) ||
                         std::holds_alternative<trace::LensWhat>(question.what);
    return isLarge ? 1 : 32;
}

/// Limit for unwanted maps; those of long sentences are large.
constexpr std::size_t mostBytesUnwanted = 128 << 20;

std::size_t bytesOf(const trace::Answer& answer) {
    const auto* maps = std::get_if<std::shared_ptr<const trace::QuantityMaps>>(&answer);
    return maps && *maps ? (*maps)->values.values().size_bytes() : 0;
}

} // namespace

KnownAnswers::KnownAnswers(WorkQueue* queue, QObject* parent)
    : QObject(parent), queue_(queue), lanes_{{{JobKind::Answers}, {JobKind::LongAnswers}}} {
    connect(queue, &WorkQueue::modelOpened, this, [this] { // a question does not say whose answer it wants
        forgetAll();
        Q_EMIT changed();
    });
    connect(queue, &WorkQueue::busyChanged, this, &KnownAnswers::followBusy);
}

/// Work is dropped where another model is opened.
void KnownAnswers::followBusy() {
    for (Lane& lane : lanes_)
        if (lane.asked && !queue_->isBusy(lane.kind)) {
            for (auto& [by, questions] : wanted_)
                std::erase(questions, *lane.asked);
            drop(lane);
            Q_EMIT changed();
        }
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
            askNext();
        });
    }
    dropUnwanted();
    askNext();
}

void KnownAnswers::forgetRefusal(const trace::Question& question) {
    std::erase_if(known_, [&](const Known& known) { return known.refused && known.question == question; });
}

void KnownAnswers::forgetAll() {
    for (auto& [by, questions] : wanted_)
        questions.clear();
    for (Lane& lane : lanes_)
        drop(lane);
    known_.clear();
}

void KnownAnswers::askNext() {
    for (Lane& lane : lanes_)
        askNext(lane);
}

/// What is under way goes on for as long as somebody wants it: heads that were measured are not measured
/// again.
void KnownAnswers::askNext(Lane& lane) {
    if (!queue_ || (lane.asked && isWanted(*lane.asked)))
        return;
    drop(lane);
    if (lane.asked)
        return; // someone who was told of that wanted something else
    const trace::Question* next = nullptr;
    for (const auto& [by, questions] : wanted_)
        for (const auto& question : questions)
            if (takesLong(question) == (lane.kind == JobKind::LongAnswers) && isMissing(question) &&
                (!next || urgency(question) < urgency(*next)))
                next = &question;
    if (!next)
        return;
    lane.asked = *next;
    ask(lane);
}

void KnownAnswers::ask(Lane& lane) {
    const auto& question = *lane.asked;
    const bool inParts = std::holds_alternative<trace::ImportanceWhat>(question.what);
    queue_->answer(lane.kind, this, question, inParts,
                   [this, &lane](trace::Answer answer, bool isWhole) {
                       take(lane, {.question = *lane.asked,
                                   .answer = std::move(answer),
                                   .refused = {},
                                   .isComplete = isWhole});
                   },
                   {.refused = [this, &lane](const trace::RefusalText& text) {
                       take(lane, {.question = *lane.asked, .answer = {}, .refused = text});
                   }});
}

void KnownAnswers::take(Lane& lane, Known known) {
    std::erase_if(known_, [&](const Known& each) { return each.question == known.question; });
    const bool isComplete = known.isComplete;
    const auto question = known.question;
    const auto refusal = known.refused;
    known_.push_back(std::move(known));
    if (isComplete)
        lane.asked.reset();
    Q_EMIT changed();
    if (refusal)
        Q_EMIT refused(question, *refusal);
    if (isComplete)
        askNext(lane);
}

/// Stops the pending question and discards its partial answer.
void KnownAnswers::drop(Lane& lane) {
    const auto asked = std::exchange(lane.asked, std::nullopt);
    if (!asked)
        return;
    queue_->stop(lane.kind);
    std::erase_if(known_, [&](const Known& known) { return !known.isComplete && known.question == *asked; });
}

void KnownAnswers::dropUnwanted() {
    std::array<std::size_t, std::variant_size_v<trace::Question::What>> count{};
    std::size_t bytes = 0;
    for (auto known = known_.end(); known != known_.begin();) {
        --known; // the newest first
        if (isWanted(known->question))
            continue;
        bytes += bytesOf(known->answer);
        if (++count[known->question.what.index()] > mostKept(known->question) || bytes > mostBytesUnwanted)
            known = known_.erase(known);
    }
}

} // namespace headscope::app

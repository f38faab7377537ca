#include "app/results/results.h"

#include "model/analysis/architecture/architecture_memory.h"
#include "model/analysis/runs_beside.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;
using trace::Wanted;

template <class What>
bool isOf(const Wanted& wanted) {
    const auto* question = std::get_if<trace::Question>(&wanted);
    return question && std::holds_alternative<What>(question->what);
}

bool takesLong(const Wanted& wanted) {
    if (const auto* counted = std::get_if<trace::Counted>(&wanted))
        return counted->takesLong();
    return isOf<trace::LensWhat>(wanted) || isOf<trace::ImportanceWhat>(wanted);
}

/// Lower comes first: the twin's after the model's, and source tokens and heads, of which there are many,
/// last.
int urgency(const Wanted& wanted) {
    const auto* question = std::get_if<trace::Question>(&wanted);
    if (!question && std::get<trace::Counted>(wanted).comesLast())
        return 6;
    if (isOf<trace::RunWhat>(wanted))
        return 0;
    if (isOf<trace::CausalRowWhat>(wanted))
        return 5;
    return (isOf<trace::ImportanceWhat>(wanted) ? 2 : 1) + (question && question->request.randomTwin ? 2 : 0);
}

/// Number of unwanted answers that are kept, of each kind: lenses are large, as may be what is counted; of
/// others there are as many as stepping back and forth, or switching a head off and on again, needs. Source
/// tokens come in many small parts.
std::size_t mostKept(const Wanted& wanted) {
    if (isOf<trace::RunWhat>(wanted))
        return 64;
    if (isOf<trace::LensWhat>(wanted))
        return 1;
    return std::holds_alternative<trace::Counted>(wanted) ? 4 : isOf<trace::CausalRowWhat>(wanted) ? 512 : 32;
}

/// Limit for unwanted answers that say their size, but for runs; maps of long sentences are large.
constexpr std::size_t mostBytesUnwanted = 256 << 20;
/// Unwanted runs that are kept however large they are: the shown one and those compared with it.
constexpr std::size_t fewestRuns = 4;

/// Empty if it is not known.
std::optional<std::size_t> bytesOf(const Wanted& question, const trace::Found& found) {
    if (const auto* counted = std::get_if<trace::Counted>(&question))
        return counted->bytes(std::get<trace::Counted::Value>(found));
    const auto& answer = std::get<trace::Answer>(found);
    if (const auto* run = std::get_if<std::shared_ptr<const trace::Run>>(&answer))
        return static_cast<std::size_t>(analysis::runBytes(**run));
    const auto* maps = std::get_if<std::shared_ptr<const trace::QuantityMaps>>(&answer);
    return maps && *maps ? std::optional((*maps)->values.values().size_bytes()) : std::nullopt;
}

/// Those of a kind are equal, for mostKept().
std::size_t indexOf(const Wanted& wanted) {
    const auto* question = std::get_if<trace::Question>(&wanted);
    return question ? question->what.index() : std::variant_size_v<trace::Question::What>;
}

} // namespace

Results::Results(WorkQueue* queue, QObject* parent, std::size_t mostBytesOfRuns)
    : QObject(parent), queue_(queue), lanes_{{{.kind = JobKind::Answers, .isOfModel = true},
                                              {.kind = JobKind::LongAnswers, .isOfModel = true},
                                              {.kind = JobKind::Counted},
                                              {.kind = JobKind::LongCounted},
                                              {.kind = JobKind::Second}}},
      mostBytesOfRuns_(mostBytesOfRuns) {
    connect(queue, &WorkQueue::modelOpened, this, [this] { // a question does not say whose answer it wants
        forgetAll();
        Q_EMIT changed();
    });
    connect(queue, &WorkQueue::busyChanged, this, &Results::followBusy);
}

/// Work is dropped where another model is opened. What the model is asked gives way to the next run.
void Results::followBusy() {
    const bool isDecoding = queue_->isBusy(JobKind::Main);
    bool isOther = false;
    for (Lane& lane : lanes_)
        if (lane.asked && !queue_->isBusy(lane.kind)) {
            for (auto& [by, questions] : wanted_)
                std::erase(questions, *lane.asked);
            drop(lane);
            isOther = true;
        } else if (lane.asked && lane.isOfModel && isDecoding) {
            drop(lane);
        }
    if (isOther)
        Q_EMIT changed();
    if (std::exchange(wasDecoding_, isDecoding) && !isDecoding)
        askNext();
}

const Results::Known* Results::find(const Wanted& question) const {
    const auto found = std::ranges::find(known_, question, &Known::question);
    return found == known_.end() ? nullptr : &*found;
}

/// The kind of the lane that answers the question.
JobKind Results::kindOf(const Wanted& question) {
    const auto* counted = std::get_if<trace::Counted>(&question);
    if (counted && counted->secondModel())
        return JobKind::Second;
    if (counted && !counted->asksModel())
        return takesLong(question) ? JobKind::LongCounted : JobKind::Counted;
    return takesLong(question) ? JobKind::LongAnswers : JobKind::Answers;
}

bool Results::isWanted(const Wanted& question) const {
    return std::ranges::any_of(wanted_, [&](const auto& wanted) {
        return std::ranges::find(wanted.second, question) != wanted.second.end();
    });
}

bool Results::isMissing(const Wanted& question) const {
    const Known* known = find(question);
    return !known || !known->isComplete;
}

bool Results::isAwaited(const Wanted& question) const {
    return isWanted(question) && isMissing(question);
}

double Results::shareOf(const Wanted& question) const {
    const auto lane = std::ranges::find(lanes_, std::optional(question), &Lane::asked);
    return lane == lanes_.end() ? 0 : lane->share;
}

/// What a view defines for itself, and source tokens after the first few; of others a person says elsewhere
/// that they are wanted no more.
bool Results::isStoppable(const Wanted& question) {
    const auto* asked = std::get_if<trace::Question>(&question);
    const auto* row = asked ? std::get_if<trace::CausalRowWhat>(&asked->what) : nullptr;
    return row ? row->keys.first > 0 : !asked && takesLong(question);
}

bool Results::isLong() const {
    return std::ranges::any_of(lanes_,
                               [](const Lane& lane) { return lane.asked && isStoppable(*lane.asked); });
}

void Results::want(const QObject* by, Questions questions) {
    const auto before = std::ranges::find(wanted_, by, [](const auto& wanted) { return wanted.first; });
    if (before != wanted_.end()) {
        before->second = std::move(questions);
    } else {
        wanted_.emplace_back(by, std::move(questions));
        connect(by, &QObject::destroyed, this, [this, by] {
            std::erase_if(wanted_, [by](const auto& wanted) { return wanted.first == by; });
            askNext();
        });
    }
    dropUnwanted();
    askNext();
}

void Results::setShown(std::shared_ptr<const trace::Run> run,
                       std::shared_ptr<const trace::ModelSummary> second) {
    if (shown_ == run && second_ == second)
        return;
    const bool isAnother = std::exchange(shown_, run) != run;
    second_ = std::move(second);
    // One that shows another of its paths is not what its request would compute.
    if (isAnother && run && run->complete && analysis::shownRequest(*run) == run->request)
        keep({.question = trace::Question{run->request, trace::RunWhat()},
              .found = trace::Answer(run),
              .refused = {}});
    dropUnwanted();
}

void Results::forgetRefusal(const Wanted& question) {
    std::erase_if(known_, [&](const Known& known) { return known.refused && known.question == question; });
}

void Results::forgetAll() {
    for (auto& [by, questions] : wanted_)
        questions.clear();
    for (Lane& lane : lanes_)
        drop(lane);
    known_.clear();
}

void Results::askNext() {
    for (Lane& lane : lanes_)
        askNext(lane);
}

/// What is under way goes on for as long as somebody wants it: heads that were measured are not measured
/// again.
void Results::askNext(Lane& lane) {
    if (!queue_ || (lane.asked && isWanted(*lane.asked)))
        return;
    drop(lane);
    if (lane.asked || (lane.isOfModel && queue_->isBusy(JobKind::Main)))
        return; // someone who was told of that wanted something else; or all waits for the next run
    const Wanted* next = nullptr;
    for (const auto& [by, questions] : wanted_)
        for (const auto& question : questions)
            if (kindOf(question) == lane.kind && isMissing(question) &&
                (!next || urgency(question) < urgency(*next)))
                next = &question;
    if (!next)
        return;
    lane.asked = *next;
    lane.share = 0;
    ask(lane);
}

void Results::ask(Lane& lane) {
    queue_->answer(
        lane.kind, this, *lane.asked,
        [this, &lane](trace::Found found, bool isWhole) {
            take(lane,
                 {.question = *lane.asked, .found = std::move(found), .refused = {}, .isComplete = isWhole});
        },
        {.refused =
             [this, &lane](const trace::RefusalText& text) {
                 take(lane, {.question = *lane.asked, .found = {}, .refused = text});
             },
         .progressed =
             [this, &lane](double share) {
                 lane.share = share;
                 Q_EMIT changed();
             }});
}

void Results::keep(Known known) {
    std::erase_if(known_, [&](const Known& each) { return each.question == known.question; });
    known_.push_back(std::move(known));
}

void Results::take(Lane& lane, Known known) {
    const bool isComplete = known.isComplete;
    keep(std::move(known));
    if (isComplete)
        lane.asked.reset();
    Q_EMIT changed();
    if (isComplete)
        askNext(lane);
}

/// They are refused before the queue tells that it is idle, as whoever hears that may want them again.
void Results::stop() {
    const trace::RefusalText text{.what = tr("This computation was stopped").toStdString(),
                                  .wayOut = tr("decode again, or select another head").toStdString()};
    bool isAny = false;
    for (const auto& [by, questions] : wanted_)
        for (const auto& question : questions)
            if (isStoppable(question) && isMissing(question)) {
                keep({.question = question, .found = {}, .refused = text});
                isAny = true;
            }
    for (Lane& lane : lanes_)
        if (lane.asked && isStoppable(*lane.asked)) {
            lane.asked.reset();
            queue_->stop(lane.kind);
        }
    if (!isAny)
        return;
    Q_EMIT changed();
    askNext();
}

/// Stops the pending question and discards its partial answer.
void Results::drop(Lane& lane) {
    const auto asked = std::exchange(lane.asked, std::nullopt);
    if (!asked)
        return;
    queue_->stop(lane.kind);
    std::erase_if(known_, [&](const Known& known) { return !known.isComplete && known.question == *asked; });
}

void Results::dropUnwanted() {
    std::map<std::size_t, std::size_t> count;
    std::size_t bytes = 0, bytesOfRuns = 0;
    for (auto known = known_.end(); known != known_.begin();) {
        --known; // the newest first
        if (isWanted(known->question))
            continue;
        if (known->refused) { // who wants it again may have it
            known = known_.erase(known);
            continue;
        }
        const auto* counted = std::get_if<trace::Counted>(&known->question);
        const auto size = bytesOf(known->question, known->found);
        const bool isOfAnother = counted && ((counted->run() && counted->run() != shown_) ||
                                             (counted->secondModel() && counted->secondModel() != second_));
        const bool isBounded = counted && size; // by its size alone
        const bool isRun = isOf<trace::RunWhat>(known->question);
        const auto place = isBounded ? 0 : ++count[indexOf(known->question)];
        auto& all = isRun ? bytesOfRuns : bytes;
        const bool isTooLarge = all + size.value_or(0) > (isRun ? mostBytesOfRuns_ : mostBytesUnwanted) &&
                                !(isRun && place <= fewestRuns);
        if (isOfAnother || isTooLarge || place > mostKept(known->question))
            known = known_.erase(known);
        else
            all += size.value_or(0);
    }
}

} // namespace headscope::app

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
    return isOf<trace::LensWhat>(wanted) || isOf<trace::ImportanceWhat>(wanted) ||
           isOf<trace::RemovalWhat>(wanted);
}

/// Lower values are asked first: the random twin after the model, and the many questions about source tokens
/// and heads, and orders in which heads are removed, last; but not the first few source tokens, which are all
/// of a short sentence.
int urgency(const Wanted& wanted) {
    const auto* question = std::get_if<trace::Question>(&wanted);
    if (!question && std::get<trace::Counted>(wanted).comesLast())
        return 6;
    if (isOf<trace::RunWhat>(wanted))
        return 0;
    const auto* losses = question ? std::get_if<trace::CausalRowWhat>(&question->what) : nullptr;
    if (losses && !losses->head && losses->keys.first == 0)
        return 1;
    if (isOf<trace::CausalRowWhat>(wanted) || isOf<trace::RemovalWhat>(wanted))
        return 5;
    return (isOf<trace::ImportanceWhat>(wanted) ? 2 : 1) + (question && question->request.randomTwin ? 2 : 0);
}

/// Number of unwanted answers that are kept, per kind. Lenses and counted results can be large; results of
/// source tokens are many and small. The others suffice for stepping back and forth, and for switching a head
/// off and on again.
std::size_t mostKept(const Wanted& wanted) {
    if (isOf<trace::RunWhat>(wanted))
        return 64;
    if (isOf<trace::LensWhat>(wanted))
        return 1;
    return std::holds_alternative<trace::Counted>(wanted) ? 4 : isOf<trace::CausalRowWhat>(wanted) ? 512 : 32;
}

/// Limit for unwanted answers of known size, except runs; maps of long sentences are large.
constexpr std::size_t mostBytesUnwanted = 256 << 20;
/// Unwanted runs that are kept regardless of size: the shown run and those compared with it.
constexpr std::size_t fewestRuns = 4;

/// Returns nothing if the size is not known.
std::optional<std::size_t> bytesOf(const Wanted& question, const trace::Found& found) {
    if (const auto* counted = std::get_if<trace::Counted>(&question))
        return counted->bytes(std::get<trace::Counted::Value>(found));
    const auto& answer = std::get<trace::Answer>(found);
    if (const auto* run = std::get_if<std::shared_ptr<const trace::Run>>(&answer))
        return static_cast<std::size_t>(analysis::runBytes(**run));
    const auto* maps = std::get_if<std::shared_ptr<const trace::QuantityMaps>>(&answer);
    return maps && *maps ? std::optional((*maps)->values.values().size_bytes()) : std::nullopt;
}

/// The kind of a question, for mostKept().
std::size_t indexOf(const Wanted& wanted) {
    const auto* question = std::get_if<trace::Question>(&wanted);
    return question ? question->what.index() : std::variant_size_v<trace::Question::What>;
}

} // namespace

Results::Results(WorkQueue* queue, QObject* parent, std::size_t mostBytesOfRuns)
    : QObject(parent), queue_(queue), workers_{{{.kind = JobKind::Answers, .isOfModel = true},
                                                {.kind = JobKind::LongAnswers, .isOfModel = true},
                                                {.kind = JobKind::Counted},
                                                {.kind = JobKind::LongCounted},
                                                {.kind = JobKind::Second}}},
      mostBytesOfRuns_(mostBytesOfRuns) {
    connect(queue, &WorkQueue::modelOpened, this, [this] { // questions do not name their model
        forgetAll();
        Q_EMIT changed();
    });
    connect(queue, &WorkQueue::busyChanged, this, &Results::followBusy);
}

/// Drops questions whose jobs were dropped because another model is opened, and stops questions to the model
/// while it decodes.
void Results::followBusy() {
    const bool isDecoding = queue_->isBusy(JobKind::Main);
    bool isOther = false;
    for (Worker& worker : workers_)
        if (worker.asked && !queue_->isBusy(worker.kind)) {
            for (auto& [by, questions] : wanted_)
                std::erase(questions, *worker.asked);
            drop(worker);
            isOther = true;
        } else if (worker.asked && worker.isOfModel && isDecoding) {
            drop(worker);
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

/// Returns the kind of the worker that answers the question.
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

bool Results::isWantedBy(const QObject* by, const Wanted& question) const {
    return std::ranges::any_of(wanted_, [&](const auto& wanted) {
        return wanted.first == by && std::ranges::find(wanted.second, question) != wanted.second.end();
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
    const auto worker = std::ranges::find(workers_, std::optional(question), &Worker::asked);
    return worker == workers_.end() ? 0 : worker->share;
}

/// True for long computations of single views, removals of heads, and for source tokens after the first few.
/// Other questions have separate controls.
bool Results::isStoppable(const Wanted& question) {
    const auto* asked = std::get_if<trace::Question>(&question);
    const auto* row = asked ? std::get_if<trace::CausalRowWhat>(&asked->what) : nullptr;
    return row ? row->keys.first > 0 : isOf<trace::RemovalWhat>(question) || (!asked && takesLong(question));
}

bool Results::isLong() const {
    return std::ranges::any_of(
        workers_, [](const Worker& worker) { return worker.asked && isStoppable(*worker.asked); });
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
    // A run that shows another of its paths differs from the run that its request would compute.
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
    for (Worker& worker : workers_)
        drop(worker);
    known_.clear();
}

void Results::askNext() {
    for (Worker& worker : workers_)
        askNext(worker);
}

/// A question being answered continues while it is wanted, so that its partial results are not lost.
void Results::askNext(Worker& worker) {
    if (!queue_ || (worker.asked && isWanted(*worker.asked)))
        return;
    drop(worker);
    if (worker.asked || (worker.isOfModel && queue_->isBusy(JobKind::Main)))
        return; // a slot of changed() has asked already, or the model decodes
    const Wanted* next = nullptr;
    for (const auto& [by, questions] : wanted_)
        for (const auto& question : questions)
            if (kindOf(question) == worker.kind && isMissing(question) &&
                (!next || urgency(question) < urgency(*next)))
                next = &question;
    if (!next)
        return;
    worker.asked = *next;
    worker.share = 0;
    ask(worker);
}

void Results::ask(Worker& worker) {
    queue_->answer(worker.kind, this, *worker.asked,
                   [this, &worker](trace::Found found, bool isWhole) {
                       take(worker, {.question = *worker.asked,
                                     .found = std::move(found),
                                     .refused = {},
                                     .isComplete = isWhole});
                   },
                   {.refused =
                        [this, &worker](const trace::RefusalText& text) {
                            take(worker, {.question = *worker.asked, .found = {}, .refused = text});
                        },
                    .progressed =
                        [this, &worker](double share) {
                            worker.share = share;
                            const Wanted asked = *worker.asked; // a slot may drop it
                            Q_EMIT progressed(asked);
                        }});
}

void Results::keep(Known known) {
    std::erase_if(known_, [&](const Known& each) { return each.question == known.question; });
    known_.push_back({std::move(known)});
}

void Results::take(Worker& worker, Known known) {
    const bool isComplete = known.isComplete;
    keep(std::move(known));
    if (isComplete)
        worker.asked.reset();
    Q_EMIT changed();
    if (isComplete)
        askNext(worker);
}

/// Refuses before the queue becomes idle, because slots of busyChanged() may want the questions again.
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
    for (Worker& worker : workers_)
        if (worker.asked && isStoppable(*worker.asked)) {
            worker.asked.reset();
            queue_->stop(worker.kind);
        }
    if (!isAny)
        return;
    Q_EMIT changed();
    askNext();
}

/// Stops the pending question and discards its partial answer.
void Results::drop(Worker& worker) {
    const auto asked = std::exchange(worker.asked, std::nullopt);
    if (!asked)
        return;
    queue_->stop(worker.kind);
    std::erase_if(known_, [&](const Known& known) { return !known.isComplete && known.question == *asked; });
}

void Results::dropUnwanted() {
    std::map<std::size_t, std::size_t> count;
    std::size_t bytes = 0, bytesOfRuns = 0;
    for (auto known = known_.end(); known != known_.begin();) {
        --known; // the newest first
        if (isWanted(known->question))
            continue;
        if (known->refused) { // asked again when wanted again
            known = known_.erase(known);
            continue;
        }
        const auto* counted = std::get_if<trace::Counted>(&known->question);
        if (!known->size)
            known->size = bytesOf(known->question, known->found);
        const auto size = *known->size;
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

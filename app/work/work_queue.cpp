#include "app/work/work_queue.h"

#include <QCoreApplication>
#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace headscope::app {

namespace {

constexpr std::chrono::milliseconds shareInterval{100}; ///< between two signals of progress

} // namespace

WorkQueue::WorkQueue(MakeEngine makeEngine, QObject* parent)
    : QObject(parent), makeEngine_(std::move(makeEngine)) {}

WorkQueue::~WorkQueue() {
    stopAll();
}

void WorkQueue::stopAll() {
    for (auto& job : jobs_)
        job.stop.request_stop();
    for (auto* worker : {&worker_, &secondWorker_})
        worker->request_stop();
    for (auto& worker : plainWorkers_)
        worker.request_stop();
    changed_.notify_all();
}

void WorkQueue::leave() {
    stopAll();
    for (auto& worker : plainWorkers_)
        if (worker.joinable())
            worker.join();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return computed_ != JobKind::Awaited; });
    left_ = true;
}

void WorkQueue::start() {
    worker_ = std::jthread([this](std::stop_token end) { workLoop(end); });
    for (auto& worker : plainWorkers_)
        worker = std::jthread([this](std::stop_token end) {
            while (const auto job = nextJob(Worker::Plain, end))
                perform(nullptr, *job);
        });
}

void WorkQueue::open(engine::ModelSource source) {
    open([source = std::move(source)] { return source; });
}

void WorkQueue::open(std::function<engine::ModelSource()> find) {
    interrupt();
    submit(JobKind::Model, nullptr, [this, find = std::move(find)](engine::Engine& engine, const Job& job) {
        auto model = engine.open(find(), job.stop.get_token());
        finish(job, [this, model] {
            endInterruption(false);
            Q_EMIT modelOpened(model);
        });
    });
}

/// Jobs of the second model continue.
void WorkQueue::interrupt() {
    for (Job& job : jobs_)
        if (job.kind != JobKind::Model && job.kind != JobKind::Second) {
            withdraw(job);
            job.isInterrupted = true;
        }
}

void WorkQueue::endInterruption(bool restart) {
    if (std::ranges::none_of(jobs_, &Job::isInterrupted))
        return;
    if (!restart)
        std::erase_if(jobs_, std::mem_fn(&Job::isInterrupted));
    for (Job& job : jobs_)
        if (job.isInterrupted)
            enqueue(job);
    Q_EMIT busyChanged();
}

void WorkQueue::run(JobKind kind, trace::Request request, QObject* receiver, Callbacks callbacks) {
    submit(
        kind, receiver,
        [this, request = std::move(request)](engine::Engine& engine, const Job& job) {
            trace::Partial partial;
            if (job.kind == JobKind::Main)
                partial = deliverPartial(job, [this](const trace::Found& found) {
                    const auto& run = std::get<trace::Answer>(found);
                    Q_EMIT runDelivered(JobKind::Main, std::get<std::shared_ptr<const trace::Run>>(run));
                });
            auto run = engine.of(request, trace::RunWhat(), taskOf(job), partial);
            finish(job, [this, kind = job.kind, run] { Q_EMIT runDelivered(kind, run); });
        },
        std::move(callbacks));
}

void WorkQueue::answer(JobKind kind, QObject* receiver, trace::Wanted question,
                       std::function<void(trace::Found found, bool isWhole)> take, Callbacks callbacks) {
    const auto* counted = std::get_if<trace::Counted>(&question);
    const auto worker = kind == JobKind::Second            ? Worker::SecondEngine
                        : counted && !counted->asksModel() ? Worker::Plain
                                                           : Worker::Engine;
    submit({.kind = kind,
            .receiver = receiver,
            .work =
                [this, question = std::move(question), take = std::move(take)](engine::Engine* engine,
                                                                               const Job& job) {
                    const auto partial =
                        deliverPartial(job, [take](trace::Found found) { take(std::move(found), false); });
                    auto found = std::visit(
                        trace::ByKind{[&](const trace::Question& asked) -> trace::Found {
                                          // Partial runs are not shown in comparisons.
                                          const bool isRun =
                                              std::holds_alternative<trace::RunWhat>(asked.what);
                                          return engine->answer(asked, taskOf(job),
                                                                isRun ? trace::Partial() : partial);
                                      },
                                      [&](const trace::Counted& asked) -> trace::Found {
                                          return asked.answer(engine, taskOf(job), partial);
                                      }},
                        question);
                    finish(job, [take, found = std::move(found)] { take(found, true); });
                },
            .worker = worker,
            .callbacks = std::move(callbacks)});
}

std::function<void(trace::Found)> WorkQueue::deliverPartial(const Job& job,
                                                            std::function<void(trace::Found)> deliver) {
    // At most one undelivered value: values are large and would accumulate while the window is busy.
    const auto waiting = std::make_shared<std::atomic<bool>>(false);
    return [this, &job, waiting, deliver = std::move(deliver)](trace::Found partial) {
        if (waiting->exchange(true))
            return;
        post(job, [partial = std::move(partial), waiting, deliver] {
            *waiting = false;
            deliver(partial);
        });
    };
}

trace::Task WorkQueue::taskOf(const Job& job) {
    using Clock = std::chrono::steady_clock;
    const auto last = std::make_shared<Clock::time_point>(Clock::now());
    return {job.stop.get_token(), [this, &job, last](double share) {
                const auto now = Clock::now();
                if (share < 1 && now - *last < shareInterval)
                    return;
                *last = now;
                post(job, [this, kind = job.kind, report = job.callbacks.progressed, share] {
                    if (report)
                        report(share);
                    else
                        Q_EMIT progressed(kind, share);
                });
            }};
}

void WorkQueue::compute(JobKind kind, QObject* receiver, std::function<std::function<void()>()> work) {
    compute(kind, receiver, [work = std::move(work)](const trace::Task&) { return work(); });
}

void WorkQueue::compute(JobKind kind, QObject* receiver,
                        std::function<std::function<void()>(const trace::Task&)> work, Callbacks callbacks) {
    submit({.kind = kind,
            .receiver = receiver,
            .work = [this, work = std::move(work)](engine::Engine*,
                                                   const Job& job) { finish(job, work(taskOf(job))); },
            .worker = Worker::Plain,
            .callbacks = std::move(callbacks)});
}

void WorkQueue::ask(JobKind kind, QObject* receiver,
                    std::function<std::function<void()>(engine::Engine&, const trace::Task&)> question,
                    Callbacks callbacks) {
    submit(
        kind, receiver,
        [this, question = std::move(question)](engine::Engine& engine, const Job& job) {
            finish(job, question(engine, taskOf(job)));
        },
        std::move(callbacks));
}

void WorkQueue::submit(JobKind kind, QObject* receiver, std::function<void(engine::Engine&, const Job&)> work,
                       Callbacks callbacks) {
    submit({.kind = kind,
            .receiver = receiver ? receiver : this,
            .work = [work = std::move(work)](engine::Engine* engine, const Job& job) { work(*engine, job); },
            .worker = kind == JobKind::Second ? Worker::SecondEngine : Worker::Engine,
            .callbacks = std::move(callbacks)});
}

void WorkQueue::closeSecond() {
    stop(JobKind::Second);
    if (secondWorker_.joinable())
        submit({.kind = JobKind::Second, .receiver = this, .worker = Worker::SecondEngine, .closes = true});
}

void WorkQueue::submit(Job job) {
    if (failure_) {
        reportRefusal(job, *failure_);
        return;
    }
    std::optional<Job> older;
    if (const auto same = find(job.kind, job.receiver); same != jobs_.end()) {
        older = *same;
        jobs_.erase(same);
    }
    if (job.worker == Worker::SecondEngine && !secondWorker_.joinable())
        secondWorker_ = std::jthread([this](std::stop_token end) { workLoopOfSecond(end); });
    enqueue(jobs_.emplace_back(std::move(job)));
    if (older)
        withdraw(*older); // afterwards, else a job of a later kind could begin in between
    Q_EMIT busyChanged();
}

void WorkQueue::enqueue(Job& job) {
    job.number = ++newest_;
    job.stop = {};
    job.isInterrupted = false;
    {
        const std::lock_guard lock(mutex_);
        pending_.emplace(job.kind, job);
    }
    changed_.notify_all(); // all, because only threads of one kind can run the job
}

WorkQueue::Jobs::const_iterator WorkQueue::find(JobKind kind, const QObject* receiver) const {
    const bool isOfEach = kind == JobKind::Awaited || kind == JobKind::Background;
    return std::ranges::find_if(jobs_, [&](const Job& job) {
        // A new object may have the address of a destroyed one.
        return job.kind == kind && (!isOfEach || (job.receiver && job.receiver == receiver));
    });
}

WorkQueue::Jobs::const_iterator WorkQueue::find(std::uint64_t number) const {
    return std::ranges::find_if(jobs_,
                                [&](const Job& job) { return job.number == number && !job.isInterrupted; });
}

void WorkQueue::withdraw(const Job& job) {
    std::stop_source(job.stop).request_stop();
    const std::lock_guard lock(mutex_);
    std::erase_if(pending_, [&](const auto& waiting) { return waiting.second.number == job.number; });
}

void WorkQueue::stop(JobKind kind, const QObject* receiver) {
    const auto stopped = find(kind, receiver);
    if (stopped == jobs_.end())
        return;
    withdraw(*stopped);
    jobs_.erase(stopped);
    if (kind == JobKind::Model)
        endInterruption(true);
    Q_EMIT busyChanged();
}

void WorkQueue::reportRefusal(const Job& job, const trace::RefusalText& text) {
    if (job.callbacks.refused)
        job.callbacks.refused(text);
    Q_EMIT refused(job.kind, text, job.callbacks.refused != nullptr);
}

bool WorkQueue::isBusy(JobKind kind, const QObject* receiver) const {
    return find(kind, receiver) != jobs_.end();
}

void WorkQueue::failForGood(const trace::RefusalText& text) {
    failure_ = text;
    for (const Job& job : std::exchange(jobs_, {}))
        withdraw(job);
    Q_EMIT refused(JobKind::Model, text);
    Q_EMIT busyChanged();
}

/// Holds the lock, because the application may be destroyed once left_ is set.
void WorkQueue::invoke(std::function<void()> deliver) {
    const std::lock_guard lock(mutex_);
    if (!left_)
        QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
}

void WorkQueue::post(const Job& job, std::function<void()> deliver) {
    invoke([this, number = job.number, receiver = job.receiver, deliver = std::move(deliver)] {
        if (receiver && find(number) != jobs_.end())
            deliver();
    });
}

void WorkQueue::finish(const Job& job, std::function<void()> deliver) {
    invoke([this, number = job.number, receiver = job.receiver, deliver = std::move(deliver)] {
        const auto done = find(number);
        if (done == jobs_.end())
            return;
        const JobKind kind = done->kind;
        jobs_.erase(done);
        if (receiver)
            deliver();
        if (kind == JobKind::Model && !isBusy(kind))
            endInterruption(true); // the model was not opened
        Q_EMIT busyChanged();
    });
}

namespace {

trace::RefusalText describe(const std::exception& error) {
    return {.what = QCoreApplication::translate("headscope::app::WorkQueue", "Internal error").toStdString(),
            .where = QCoreApplication::translate("headscope::app::WorkQueue", "engine").toStdString(),
            .wayOut = QCoreApplication::translate("headscope::app::WorkQueue",
                                                  "try again; the open model and sentence are not affected")
                          .toStdString(),
            .details = error.what()};
}

} // namespace

std::optional<WorkQueue::Job> WorkQueue::nextJob(Worker worker, std::stop_token end) {
    std::unique_lock lock(mutex_);
    if (worker == Worker::Engine && std::exchange(computed_, std::nullopt))
        changed_.notify_all(); // leave() may be waiting
    const auto waiting = [&] {
        return std::ranges::find_if(pending_, [&](const auto& job) { return job.second.worker == worker; });
    };
    changed_.wait(lock, end, [&] { return waiting() != pending_.end(); });
    if (end.stop_requested())
        return std::nullopt;
    auto job = pending_.extract(waiting());
    if (worker == Worker::Engine)
        computed_ = job.key();
    return std::move(job.mapped());
}

void WorkQueue::workLoop(std::stop_token end) {
    std::unique_ptr<engine::Engine> engine;
    const auto fail = [this](trace::RefusalText text) {
        invoke([this, text = std::move(text)] { failForGood(text); });
    };
    try {
        engine = makeEngine_();
    } catch (const trace::Refusal& refusal) {
        return fail(refusal.text());
    } catch (const std::exception& error) {
        return fail(describe(error));
    }
    invoke([this, text = QString::fromStdString(engine->description())] { Q_EMIT engineReady(text); });
    while (const auto job = nextJob(Worker::Engine, end))
        perform(engine.get(), *job);
}

void WorkQueue::workLoopOfSecond(std::stop_token end) {
    std::unique_ptr<engine::Engine> engine;
    while (auto job = nextJob(Worker::SecondEngine, end)) {
        if (job->closes) {
            engine.reset();
            finish(*job, [] {});
            continue;
        }
        if (!engine) // created inside the job, where exceptions are reported
            job->work = [&, work = std::move(job->work)](engine::Engine*, const Job& now) {
                engine = makeEngine_();
                work(engine.get(), now);
            };
        perform(engine.get(), *job);
    }
}

void WorkQueue::perform(engine::Engine* engine, const Job& job) {
    const auto refuse = [&](trace::RefusalText text) {
        finish(job, [this, job, text = std::move(text)] { reportRefusal(job, text); });
    };
    try {
        job.work(engine, job);
    } catch (const trace::Cancelled&) {
        // The caller of stop() needs no report.
    } catch (const trace::MissingSettings& missing) {
        if (job.kind == JobKind::Model)
            finish(job, [this, missing] { Q_EMIT settingsMissing(missing); });
        else
            refuse(missing.text());
    } catch (const trace::Refusal& refusal) {
        refuse(refusal.text());
    } catch (const std::exception& error) {
        refuse(describe(error));
    }
}

} // namespace headscope::app

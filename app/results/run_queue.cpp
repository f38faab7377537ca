#include "app/results/run_queue.h"

#include <QMetaObject>
#include <QPointer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace headscope::app {

namespace {

constexpr std::chrono::milliseconds shareInterval{100}; ///< as often as a person can read it

} // namespace

RunQueue::RunQueue(MakeEngine makeEngine, QObject* parent)
    : QObject(parent), makeEngine_(std::move(makeEngine)) {}

RunQueue::~RunQueue() {
    stopAll();
}

void RunQueue::stopAll() {
    for (auto& job : latest_)
        job.stop.request_stop();
    for (auto* worker : {&worker_, &otherWorker_})
        worker->request_stop();
    for (auto& worker : plainWorkers_)
        worker.request_stop();
    changed_.notify_all();
}

void RunQueue::leave() {
    stopAll();
    for (auto& worker : plainWorkers_)
        if (worker.joinable())
            worker.join();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return computed_ != Slot::Saving; });
    left_ = true;
}

void RunQueue::start() {
    worker_ = std::jthread([this](std::stop_token end) { workLoop(end); });
    for (auto& worker : plainWorkers_)
        worker = std::jthread([this](std::stop_token end) {
            while (const auto job = nextJob(Worker::Plain, end))
                perform(nullptr, *job);
        });
}

void RunQueue::open(engine::ModelSource source) {
    open([source = std::move(source)] { return source; });
}

void RunQueue::open(std::function<engine::ModelSource()> find) {
    interrupt();
    submit(Slot::Model, [this, find = std::move(find)](engine::Engine& engine, const Job& job) {
        auto model = engine.open(find(), job.stop.get_token());
        finish(job, [this, model] {
            endInterruption(false);
            Q_EMIT modelOpened(model);
        });
    });
}

/// What runs belongs to the model that may be left, and nothing waits longer than it must. The second model
/// goes on by itself.
void RunQueue::interrupt() {
    for (std::size_t slot = index(Slot::Model) + 1; slot < slotCount; ++slot) {
        interrupted_[slot] = busy_[slot] && !isOfOther(static_cast<Slot>(slot));
        if (interrupted_[slot])
            withdraw(static_cast<Slot>(slot));
    }
}

void RunQueue::endInterruption(bool goOn) {
    for (std::size_t slot = 0; slot < slotCount; ++slot)
        if (interrupted_[slot] && goOn)
            submit({.slot = static_cast<Slot>(slot),
                    .work = latest_[slot].work,
                    .worker = latest_[slot].worker,
                    .heard = latest_[slot].heard});
        else if (interrupted_[slot])
            stop(static_cast<Slot>(slot));
}

void RunQueue::run(Slot slot, trace::Request request, QObject* receiver, Heard heard) {
    submit(
        slot,
        [this, request = std::move(request)](engine::Engine& engine, const Job& job) {
            engine::Engine::Progress partial;
            if (job.slot == Slot::Main)
                partial = deliverPartial<trace::Run>(
                    job, [this](auto run) { Q_EMIT runDelivered(Slot::Main, std::move(run)); });
            auto run = engine.run(request, taskOf(job), partial);
            finish(job, [this, slot = job.slot, run] { Q_EMIT runDelivered(slot, run); });
        },
        whileThere(receiver, std::move(heard)));
}

void RunQueue::measureImportance(Slot slot, QObject* receiver, trace::Request request,
                                 std::function<void(std::shared_ptr<const trace::HeadImportance>)> take,
                                 Heard heard) {
    auto takeIfThere = [guard = QPointer<QObject>(receiver),
                        take = std::move(take)](std::shared_ptr<const trace::HeadImportance> importance) {
        if (guard)
            take(std::move(importance));
    };
    submit(
        slot,
        [this, request = std::move(request), takeIfThere](engine::Engine& engine, const Job& job) {
            const auto partial = deliverPartial<trace::HeadImportance>(job, takeIfThere);
            auto importance = engine.importance(request, job.stop.get_token(), partial);
            finish(job, [takeIfThere, importance] { takeIfThere(importance); });
        },
        whileThere(receiver, std::move(heard)));
}

template <class Value>
std::function<void(std::shared_ptr<const Value>)>
RunQueue::deliverPartial(const Job& job, std::function<void(std::shared_ptr<const Value>)> deliver) {
    // One undelivered value at a time: they are large, and a busy window would pile them up.
    const auto waiting = std::make_shared<std::atomic<bool>>(false);
    return [this, &job, waiting, deliver = std::move(deliver)](std::shared_ptr<const Value> partial) {
        if (waiting->exchange(true))
            return;
        post(job, [partial, waiting, deliver] {
            *waiting = false;
            deliver(partial);
        });
    };
}

trace::Task RunQueue::taskOf(const Job& job) {
    using Clock = std::chrono::steady_clock;
    const auto last = std::make_shared<Clock::time_point>(Clock::now());
    return {job.stop.get_token(), [this, &job, last](double share) {
                const auto now = Clock::now();
                if (share < 1 && now - *last < shareInterval)
                    return;
                *last = now;
                post(job, [this, slot = job.slot, heard = job.heard.progressed, share] {
                    if (heard)
                        heard(share);
                    else
                        Q_EMIT progressed(slot, share);
                });
            }};
}

void RunQueue::compute(Slot slot, QObject* receiver, std::function<std::function<void()>()> work) {
    compute(slot, receiver, [work = std::move(work)](const trace::Task&) { return work(); });
}

void RunQueue::compute(Slot slot, QObject* receiver,
                       std::function<std::function<void()>(const trace::Task&)> work, Heard heard) {
    submit({.slot = slot,
            .work =
                [this, guard = QPointer<QObject>(receiver), work = std::move(work)](engine::Engine*,
                                                                                    const Job& job) {
                    finish(job, [guard, deliver = work(taskOf(job))] {
                        if (guard)
                            deliver();
                    });
                },
            .worker = Worker::Plain,
            .heard = whileThere(receiver, std::move(heard))});
}

void RunQueue::ask(Slot slot, QObject* receiver,
                   std::function<std::function<void()>(engine::Engine&, const trace::Task&)> question,
                   Heard heard) {
    submit(
        slot,
        [this, guard = QPointer<QObject>(receiver), question = std::move(question)](engine::Engine& engine,
                                                                                    const Job& job) {
            finish(job, [guard, deliver = question(engine, taskOf(job))] {
                if (guard)
                    deliver();
            });
        },
        whileThere(receiver, std::move(heard)));
}

RunQueue::Heard RunQueue::whileThere(QObject* receiver, Heard heard) {
    const QPointer<QObject> guard(receiver);
    if (auto refused = std::exchange(heard.refused, nullptr))
        heard.refused = [guard, refused = std::move(refused)](const trace::RefusalText& text) {
            if (guard)
                refused(text);
        };
    if (auto progressed = std::exchange(heard.progressed, nullptr))
        heard.progressed = [guard, progressed = std::move(progressed)](double share) {
            if (guard)
                progressed(share);
        };
    return heard;
}

void RunQueue::runAndCompute(Slot slot, trace::Request request, QObject* receiver,
                             std::function<std::function<void()>(const trace::Run&)> work, Heard heard) {
    ask(
        slot, receiver,
        [request = std::move(request), work = std::move(work)](engine::Engine& engine, std::stop_token stop) {
            return work(*engine.run(request, std::move(stop), {}));
        },
        std::move(heard));
}

void RunQueue::tryOut(std::vector<engine::ModelSource> sources, std::string sentence) {
    submit(Slot::Trial, [this, sources = std::move(sources),
                         sentence = std::move(sentence)](engine::Engine& engine, const Job& job) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            std::optional<engine::Trial> trial;
            try {
                trial = engine.tryOut(sources[i], sentence, job.stop.get_token());
            } catch (const trace::Refusal&) {
                // A way that cannot be is no way to be sure of anything.
            }
            post(job, [this, i, trial] { Q_EMIT tried(static_cast<int>(i), trial); });
        }
        finish(job, [] {});
    });
}

void RunQueue::submit(Slot slot, std::function<void(engine::Engine&, const Job&)> work, Heard heard) {
    submit({.slot = slot,
            .work = [work = std::move(work)](engine::Engine* engine, const Job& job) { work(*engine, job); },
            .worker = isOfOther(slot) ? Worker::OtherEngine : Worker::Engine,
            .heard = std::move(heard)});
}

void RunQueue::closeOther() {
    stop(Slot::Other);
    stop(Slot::OtherModel);
    if (otherWorker_.joinable())
        submit({.slot = Slot::OtherModel, .worker = Worker::OtherEngine, .closes = true});
}

void RunQueue::submit(Job job) {
    const Slot slot = job.slot;
    if (failure_) {
        tellRefusal(job, *failure_);
        return;
    }
    withdraw(slot);
    job.generation = newest_[index(slot)];
    latest_[index(slot)] = job;
    if (job.worker == Worker::OtherEngine && !otherWorker_.joinable())
        otherWorker_ = std::jthread([this](std::stop_token end) { workLoopOfOther(end); });
    {
        const std::lock_guard lock(mutex_);
        pending_[index(slot)] = std::move(job);
    }
    interrupted_[index(slot)] = false;
    busy_[index(slot)] = true;
    changed_.notify_all(); // one of the threads
    Q_EMIT busyChanged();
}

/// Nothing of the slot's work is delivered any more.
void RunQueue::withdraw(Slot slot) {
    latest_[index(slot)].stop.request_stop();
    ++newest_[index(slot)];
    const std::lock_guard lock(mutex_);
    pending_[index(slot)].reset();
}

void RunQueue::stop(Slot slot) {
    withdraw(slot);
    interrupted_[index(slot)] = false;
    latest_[index(slot)].work = nullptr; // which may hold whole runs, as may who hears of it
    latest_[index(slot)].heard = {};
    if (!std::exchange(busy_[index(slot)], false))
        return;
    if (slot == Slot::Model)
        endInterruption(true);
    Q_EMIT busyChanged();
}

void RunQueue::tellRefusal(const Job& job, const trace::RefusalText& text) {
    const auto hear = job.heard.refused; // the job may be another one by then
    const Slot slot = job.slot;
    if (hear)
        hear(text);
    Q_EMIT refused(slot, text, hear != nullptr);
}

bool RunQueue::isBusy(Slot slot) const {
    return busy_[index(slot)];
}

void RunQueue::failForGood(const trace::RefusalText& text) {
    failure_ = text;
    busy_.fill(false);
    interrupted_.fill(false);
    Q_EMIT refused(Slot::Model, text);
    Q_EMIT busyChanged();
}

/// Under the lock: the application that delivers may go once left_ is set.
void RunQueue::tell(std::function<void()> deliver) {
    const std::lock_guard lock(mutex_);
    if (!left_)
        QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
}

void RunQueue::post(const Job& job, std::function<void()> deliver) {
    tell([this, slot = job.slot, generation = job.generation, deliver = std::move(deliver)] {
        if (newest_[index(slot)] == generation)
            deliver();
    });
}

void RunQueue::finish(const Job& job, std::function<void()> deliver) {
    post(job, [this, slot = job.slot, deliver = std::move(deliver)] {
        busy_[index(slot)] = false;
        latest_[index(slot)].work = nullptr;
        latest_[index(slot)].heard = {};
        deliver();
        if (slot == Slot::Model && !isBusy(slot))
            endInterruption(true); // the model that was open stays
        Q_EMIT busyChanged();
    });
}

namespace {

trace::RefusalText describe(const std::exception& error) {
    return {.what = RunQueue::tr("Internal error").toStdString(),
            .where = RunQueue::tr("engine").toStdString(),
            .wayOut = RunQueue::tr("try again; the open model and sentence are not affected").toStdString(),
            .details = error.what()};
}

} // namespace

std::optional<RunQueue::Job> RunQueue::nextJob(Worker worker, std::stop_token end) {
    std::unique_lock lock(mutex_);
    if (worker == Worker::Engine && std::exchange(computed_, std::nullopt))
        changed_.notify_all(); // who leaves may be waiting for it
    const auto waiting = [&] {
        return std::find_if(pending_.begin(), pending_.end(),
                            [&](const auto& job) { return job && job->worker == worker; });
    };
    changed_.wait(lock, end, [&] { return waiting() != pending_.end(); });
    if (end.stop_requested())
        return std::nullopt;
    auto job = std::exchange(*waiting(), std::nullopt);
    if (worker == Worker::Engine)
        computed_ = job->slot;
    return job;
}

void RunQueue::workLoop(std::stop_token end) {
    std::unique_ptr<engine::Engine> engine;
    const auto fail = [this](trace::RefusalText text) {
        tell([this, text = std::move(text)] { failForGood(text); });
    };
    try {
        engine = makeEngine_();
    } catch (const trace::Refusal& refusal) {
        return fail(refusal.text());
    } catch (const std::exception& error) {
        return fail(describe(error));
    }
    tell([this, text = QString::fromStdString(engine->description())] { Q_EMIT engineReady(text); });
    while (const auto job = nextJob(Worker::Engine, end))
        perform(engine.get(), *job);
}

void RunQueue::workLoopOfOther(std::stop_token end) {
    std::unique_ptr<engine::Engine> engine;
    while (auto job = nextJob(Worker::OtherEngine, end)) {
        if (job->closes) {
            engine.reset();
            finish(*job, [] {});
            continue;
        }
        if (!engine) // made where a refusal of it is told
            job->work = [&, work = std::move(job->work)](engine::Engine*, const Job& now) {
                engine = makeEngine_();
                work(engine.get(), now);
            };
        perform(engine.get(), *job);
    }
}

void RunQueue::perform(engine::Engine* engine, const Job& job) {
    const auto refuse = [&](trace::RefusalText text) {
        finish(job, [this, job, text = std::move(text)] { tellRefusal(job, text); });
    };
    try {
        job.work(engine, job);
    } catch (const trace::Cancelled&) {
        // Whoever stopped it knows.
    } catch (const trace::MissingSettings& missing) {
        if (job.slot == Slot::Model)
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

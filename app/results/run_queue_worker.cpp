// What the threads of the queue do.
#include "app/results/run_queue.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

trace::RefusalText describe(const std::exception& error) {
    return {.what = RunQueue::tr("Something went wrong that should not have").toStdString(),
            .where = RunQueue::tr("the part that computes").toStdString(),
            .wayOut = RunQueue::tr("try again; the open model and sentence are unharmed").toStdString(),
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
        finish(job, [this, slot = job.slot, text = std::move(text)] { Q_EMIT refused(slot, text); });
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

#pragma once

#include <QObject>
#include <QPointer>

#include "model/engine/engine.h"
#include "model/trace/known_answers.h"
#include "model/trace/missing_settings.h"
#include "model/trace/refusal.h"
#include "model/trace/task.h"

#include <array>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace headscope::app {

/// Runs jobs on worker threads, so that the window never waits: one thread for the engine, one for the engine
/// of a second model, made when it is first needed, and three for work without a model. Of each kind only the
/// newest job counts, of Awaited and Background that of each receiver: an older one is stopped and its
/// results are dropped. Signals are emitted on the thread in which the queue lives.
class WorkQueue : public QObject {
    Q_OBJECT

  public:
    /// Kinds of jobs. Lower numbers run first, and of one kind those that were started first.
    enum class JobKind {
        Model,
        Main,        ///< the shown run
        Answers,     ///< what the model is asked about the shown run (Results)
        Counted,     ///< what is counted from what is known (Results)
        LongAnswers, ///< what the model is asked that takes long (Results)
        LongCounted, ///< what takes long to be counted (Results)
        Second,      ///< opens, closes or asks the second model, which has an engine of its own
        Awaited,     ///< what an object does for itself and a person waits for: pictures, files
        Background,  ///< what an object does for itself and nobody waits for: hashes, autosaves
    };
    /// Creates the engine. Called on the worker thread.
    using MakeEngine = std::function<std::unique_ptr<engine::Engine>()>;

    explicit WorkQueue(MakeEngine makeEngine, QObject* parent = nullptr);
    /// Stops the running jobs and waits for them.
    ~WorkQueue() override;

    /// Called at the end of the program: starts and delivers nothing more. Waits for jobs without an engine
    /// and for Awaited ones, which may write a file, but not for others on an engine or for the creation of
    /// one: these end with the process, and the queue must not be destroyed before.
    void leave();

    /// Starts the worker, which first creates the engine. Called once, after the first paint of the window.
    void start();

    /// Opens a model and interrupts the running jobs. They are restarted if the model is refused, lacks
    /// settings, or opening it is cancelled; otherwise they are dropped. Until then they count as busy.
    void open(engine::ModelSource source);
    /// Like open() above, but finds the model on the worker thread, because a disk may be slow.
    void open(std::function<engine::ModelSource()> find);
    /// Callbacks of one job. A refusal is also signalled; progress is not signalled if `progressed` is set.
    /// Nothing of a job is delivered, here or below, once its receiver is destroyed.
    struct Heard {
        std::function<void(const trace::RefusalText&)> refused;
        std::function<void(double)> progressed;
    };
    /// Runs a request. Partial runs are delivered for JobKind::Main only.
    void run(JobKind kind, trace::Request request, QObject* receiver = nullptr, Heard heard = {});
    /// Calls `take` on the queue's thread with the answer; before, with what is known of it so far, where the
    /// answer comes in parts.
    void answer(JobKind kind, QObject* receiver, trace::Wanted question,
                std::function<void(trace::Found found, bool isWhole)> take, Heard heard = {});
    /// Runs `work`, which needs no model, on a worker thread, and calls the returned function on the queue's
    /// thread.
    void compute(JobKind kind, QObject* receiver, std::function<std::function<void()>()> work);
    /// Like compute() above, for work that can be stopped and can report its progress.
    void compute(JobKind kind, QObject* receiver,
                 std::function<std::function<void()>(const trace::Task&)> work, Heard heard = {});
    /// Runs `question` on the engine's thread, and calls the returned function on the queue's thread.
    void ask(JobKind kind, QObject* receiver,
             std::function<std::function<void()>(engine::Engine&, const trace::Task&)> question,
             Heard heard = {});
    /// Closes the second model and frees its engine. ask(JobKind::Second) opens one.
    void closeSecond();
    /// Stops the job of a kind, of Awaited and Background that of the receiver, and drops its results.
    void stop(JobKind kind, const QObject* receiver = nullptr);
    bool isBusy(JobKind kind, const QObject* receiver = nullptr) const;
    /// Any job is under way or waits.
    bool isBusy() const { return !jobs_.empty(); }

  Q_SIGNALS:
    void engineReady(const QString& description);
    void modelOpened(std::shared_ptr<const headscope::trace::ModelSummary> model);
    /// `run->complete` is false until the last step is decoded.
    void runDelivered(headscope::app::WorkQueue::JobKind kind,
                      std::shared_ptr<const headscope::trace::Run> run);
    /// The model to open lacks settings that it cannot be read without.
    void settingsMissing(const headscope::trace::MissingSettings& missing);
    /// `isHeard`: the refusal was also passed to the job's own callback.
    void refused(headscope::app::WorkQueue::JobKind kind, const headscope::trace::RefusalText& text,
                 bool isHeard = false);
    /// Fraction of a long job that is done, 0 to 1.
    void progressed(headscope::app::WorkQueue::JobKind kind, double share);
    /// A job was started, has ended, or was dropped.
    void busyChanged();

  private:
    /// The kind of thread that runs a job. Jobs without an engine have their own threads, so that they do not
    /// wait behind hundreds of heads.
    enum class Worker { Engine, SecondEngine, Plain };

    struct Job {
        std::uint64_t number = 0; ///< higher than that of each job started before
        JobKind kind = JobKind::Main;
        QPointer<QObject> receiver;
        std::stop_source stop;
        /// The engine is null for Worker::Plain.
        std::function<void(engine::Engine*, const Job&)> work;
        Worker worker = Worker::Engine;
        Heard heard;
        bool closes = false;        ///< frees the second engine instead of running `work`
        bool isInterrupted = false; ///< by opening a model
    };
    using Jobs = std::vector<Job>;

    /// Without a receiver, the job is the queue's own.
    void submit(JobKind kind, QObject* receiver, std::function<void(engine::Engine&, const Job&)> work,
                Heard heard = {});
    void submit(Job job);
    Jobs::const_iterator find(JobKind kind, const QObject* receiver) const;
    /// The end if a newer job counts instead, or if the job was stopped or interrupted.
    Jobs::const_iterator find(std::uint64_t number) const;
    /// Makes the job the last of those that wait.
    void enqueue(Job& job);
    /// Nothing more of the job is done or delivered.
    void withdraw(const Job& job);
    void tellRefusal(const Job& job, const trace::RefusalText& text);
    void stopAll();
    void interrupt();
    /// Restarts the interrupted jobs, or drops them.
    void endInterruption(bool restart);
    /// Hands values to `deliver` on the queue's own thread.
    std::function<void(trace::Found)> deliverPartial(const Job& job,
                                                     std::function<void(trace::Found)> deliver);
    /// Returns a task whose progress is signalled as progressed().
    trace::Task taskOf(const Job& job);
    void workLoop(std::stop_token end);
    void workLoopOfSecond(std::stop_token end);
    /// Creating the engine failed: refuses all pending and future jobs.
    void failForGood(const trace::RefusalText& text);
    void perform(engine::Engine* engine, const Job& job);
    std::optional<Job> nextJob(Worker worker, std::stop_token end);
    /// Calls `deliver` on the queue's thread. Called from worker threads.
    void tell(std::function<void()> deliver);
    /// Like tell(), if the job still counts.
    void post(const Job& job, std::function<void()> deliver);
    void finish(const Job& job, std::function<void()> deliver);

    MakeEngine makeEngine_;

    // Used on the queue's own thread only.
    std::uint64_t newest_ = 0;
    Jobs jobs_;                                 ///< those that count, until they are done
    std::optional<trace::RefusalText> failure_; ///< why there is no engine

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::multimap<JobKind, Job> pending_; ///< guarded by mutex_, as are the next two
    std::optional<JobKind> computed_;     ///< kind of the job that the engine runs
    bool left_ = false;                   ///< nothing is delivered any more
    std::jthread worker_;
    std::array<std::jthread, 3> plainWorkers_; ///< three, so that one long job does not block the others
    std::jthread secondWorker_;                ///< for the second model; started by its first job
};

} // namespace headscope::app

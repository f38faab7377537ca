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
/// of a second model (created on first use), and three for jobs without a model. Per kind, or for Awaited and
/// Background per kind and receiver, only the newest job counts: an older job is stopped and its results are
/// dropped. Signals are emitted on the thread of the queue.
class WorkQueue : public QObject {
    Q_OBJECT

  public:
    /// Kinds of jobs. Lower numbers run first; jobs of one kind run in the order in which they were started.
    enum class JobKind {
        Model,
        Main,        ///< the shown run
        Answers,     ///< questions to the model about the shown run (Results)
        Counted,     ///< computed from known answers, without the model (Results)
        LongAnswers, ///< as Answers, for long computations
        LongCounted, ///< as Counted, for long computations
        Second,      ///< opens, closes or asks the second model, which has a separate engine
        Awaited,     ///< work of one object that the user waits for: pictures, files
        Background,  ///< work of one object that the user does not wait for: hashes, autosaves
    };
    /// Creates the engine. Called on the worker thread.
    using MakeEngine = std::function<std::unique_ptr<engine::Engine>()>;

    explicit WorkQueue(MakeEngine makeEngine, QObject* parent = nullptr);
    /// Stops the running jobs and waits for them.
    ~WorkQueue() override;

    /// Called at the end of the program: starts and delivers nothing more. Waits for jobs without an engine
    /// and for Awaited jobs, which may write a file. Does not wait for other jobs on an engine or for the
    /// creation of an engine: they end with the process, and the queue must not be destroyed earlier.
    void leave();

    /// Starts the worker, which first creates the engine. Called once, after the first paint of the window.
    void start();

    /// Opens a model and interrupts the running jobs. The jobs are restarted if the model is
    /// refused, lacks settings, or is cancelled; otherwise they are dropped. Until then they count as busy.
    void open(engine::ModelSource source);
    /// Like open() above, but finds the model on the worker thread, because a disk may be slow.
    void open(std::function<engine::ModelSource()> find);
    /// Callbacks of one job. A refusal is also signalled; progress is not signalled if `progressed` is set.
    /// Once the receiver of a job is destroyed, nothing is delivered.
    struct Callbacks {
        std::function<void(const trace::RefusalText&)> refused;
        std::function<void(double)> progressed;
    };
    /// Runs a request. Partial runs are delivered for JobKind::Main only.
    void run(JobKind kind, trace::Request request, QObject* receiver = nullptr, Callbacks callbacks = {});
    /// Calls `take` on the queue's thread with the answer, and before with each partial answer.
    void answer(JobKind kind, QObject* receiver, trace::Wanted question,
                std::function<void(trace::Found found, bool isWhole)> take, Callbacks callbacks = {});
    /// Runs `work`, which needs no model, on a worker thread, and calls the returned function on the queue's
    /// thread.
    void compute(JobKind kind, QObject* receiver, std::function<std::function<void()>()> work);
    /// Like compute() above, for work that can be stopped and can report its progress.
    void compute(JobKind kind, QObject* receiver,
                 std::function<std::function<void()>(const trace::Task&)> work, Callbacks callbacks = {});
    /// Runs `question` on the engine's thread, and calls the returned function on the queue's thread.
    void ask(JobKind kind, QObject* receiver,
             std::function<std::function<void()>(engine::Engine&, const trace::Task&)> question,
             Callbacks callbacks = {});
    /// Closes the second model and frees its engine. ask(JobKind::Second) opens one.
    void closeSecond();
    /// Stops the job of a kind (of Awaited and Background: of the receiver), and drops its results.
    void stop(JobKind kind, const QObject* receiver = nullptr);
    bool isBusy(JobKind kind, const QObject* receiver = nullptr) const;
    /// True if any job is running or pending.
    bool isBusy() const { return !jobs_.empty(); }

  Q_SIGNALS:
    void engineReady(const QString& description);
    void modelOpened(std::shared_ptr<const headscope::trace::ModelSummary> model);
    /// `run->complete` is false until the last step is decoded.
    void runDelivered(headscope::app::WorkQueue::JobKind kind,
                      std::shared_ptr<const headscope::trace::Run> run);
    /// The files of the model to open lack required settings.
    void settingsMissing(const headscope::trace::MissingSettings& missing);
    /// `wasReported`: the refusal was also passed to Callbacks::refused.
    void refused(headscope::app::WorkQueue::JobKind kind, const headscope::trace::RefusalText& text,
                 bool wasReported = false);
    /// `share` is the completed fraction of a long job, 0 to 1.
    void progressed(headscope::app::WorkQueue::JobKind kind, double share);
    /// A job was started, has ended, or was dropped.
    void busyChanged();

  private:
    /// The kind of thread that runs a job. Jobs without an engine have separate threads, so that they do not
    /// wait while hundreds of heads are measured.
    enum class Worker { Engine, SecondEngine, Plain };

    struct Job {
        std::uint64_t number = 0; ///< increases with each started job
        JobKind kind = JobKind::Main;
        QPointer<QObject> receiver;
        std::stop_source stop;
        /// The engine is null for Worker::Plain.
        std::function<void(engine::Engine*, const Job&)> work;
        Worker worker = Worker::Engine;
        Callbacks callbacks;
        bool closes = false;        ///< frees the second engine instead of running `work`
        bool isInterrupted = false; ///< by opening a model
    };
    using Jobs = std::vector<Job>;

    /// If `receiver` is null, the queue is the receiver.
    void submit(JobKind kind, QObject* receiver, std::function<void(engine::Engine&, const Job&)> work,
                Callbacks callbacks = {});
    void submit(Job job);
    Jobs::const_iterator find(JobKind kind, const QObject* receiver) const;
    /// Returns the end if the job was replaced by a newer one, stopped or interrupted.
    Jobs::const_iterator find(std::uint64_t number) const;
    /// Adds the job to the pending ones, behind those of its kind.
    void enqueue(Job& job);
    /// Stops the job; delivers nothing more of it.
    void withdraw(const Job& job);
    void reportRefusal(const Job& job, const trace::RefusalText& text);
    void stopAll();
    void interrupt();
    /// Restarts the interrupted jobs, or drops them.
    void endInterruption(bool restart);
    /// Returns a function that passes values to `deliver` on the queue's thread.
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
    void invoke(std::function<void()> deliver);
    /// Like invoke(), but ignored if the job no longer counts.
    void post(const Job& job, std::function<void()> deliver);
    void finish(const Job& job, std::function<void()> deliver);

    MakeEngine makeEngine_;

    // Used on the queue's thread only.
    std::uint64_t newest_ = 0;
    Jobs jobs_;                                 ///< jobs that count and are not finished
    std::optional<trace::RefusalText> failure_; ///< why there is no engine

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::multimap<JobKind, Job> pending_; ///< guarded by mutex_, as are the next two
    std::optional<JobKind> computed_;     ///< kind of the running job of the engine
    bool left_ = false;                   ///< leave() was called
    std::jthread worker_;
    std::array<std::jthread, 3> plainWorkers_; ///< three, so that one long job does not block the others
    std::jthread secondWorker_;                ///< for the second model; started by its first job
};

} // namespace headscope::app

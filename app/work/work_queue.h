#pragma once

#include <QObject>

#include "model/engine/engine.h"
#include "model/trace/known_answers.h"
#include "model/trace/missing_settings.h"
#include "model/trace/refusal.h"
#include "model/trace/task.h"

#include <array>
#include <condition_variable>
#include <functional>
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
/// newest job counts: an older one is stopped and its results are dropped. Signals are emitted on the thread
/// in which the queue lives.
class WorkQueue : public QObject {
    Q_OBJECT

  public:
    /// Kinds of jobs. Lower numbers run first.
    enum class JobKind {
        Model,
        Main,          ///< the shown run
        FirstHead,     ///< the head that aligns best, chosen when a sentence is first shown
        Answers,       ///< what the model is asked about the shown run (Results)
        Counted,       ///< what is counted from what is known (Results)
        Intervals,     ///< statistics of a head over many sentences
        LongAnswers,   ///< what the model is asked that takes long (Results)
        LongCounted,   ///< what takes long to be counted (Results)
        Compared,      ///< the run compared with the shown one, of the same model
        ComparedSteps, ///< both compared runs reading the same output
        OtherModel,    ///< opens or closes the second model; this and the next run on its engine
        Other,         ///< the run compared with the shown one, of the second model
        Path,          ///< looks at the destination of an export
        Copied,        ///< a picture for the clipboard
        Preview,       ///< preview of an export
        Figure,        ///< the bytes of an exported picture
        Data,          ///< exports the numbers behind a view
        Saving,        ///< saves the shown run with all its analyses
        Weights,       ///< hash of the open model's weights
        OtherWeights,  ///< hash of the second model's weights
        Session,       ///< saves a session
        Autosave,      ///< saves a session by itself
        Corpus,        ///< runs many sentences, one after the other
        Trial,         ///< tries readings of a model with missing settings
    };
    /// Creates the engine. Called on the worker thread.
    using MakeEngine = std::function<std::unique_ptr<engine::Engine>()>;

    explicit WorkQueue(MakeEngine makeEngine, QObject* parent = nullptr);
    /// Stops the running jobs and waits for them.
    ~WorkQueue() override;

    /// Called at the end of the program: starts and delivers nothing more. Waits for jobs that write a file
    /// or draw, but not for jobs on an engine or for the creation of one: these end with the process, and the
    /// queue must not be destroyed before.
    void leave();

    /// Starts the worker, which first creates the engine. Called once, after the first paint of the window.
    void start();

    /// Opens a model and interrupts the running jobs. They are restarted if the model is refused, lacks
    /// settings, or opening it is cancelled; otherwise they are dropped. Until then their kinds are busy.
    void open(engine::ModelSource source);
    /// Like open() above, but finds the model on the worker thread, because a disk may be slow.
    void open(std::function<engine::ModelSource()> find);
    /// Callbacks of one job. A refusal is also signalled; progress is not signalled if `progressed` is set.
    struct Heard {
        std::function<void(const trace::RefusalText&)> refused;
        std::function<void(double)> progressed;
    };
    /// Runs a request. Partial runs are delivered for JobKind::Main only.
    void run(JobKind kind, trace::Request request, QObject* receiver = nullptr, Heard heard = {});
    /// Calls `take` on the queue's thread with the answer, unless `receiver` is destroyed; before, with what
    /// is known of it so far, where the answer comes in parts.
    void answer(JobKind kind, QObject* receiver, trace::Wanted question,
                std::function<void(trace::Found found, bool isWhole)> take, Heard heard = {});
    /// Runs `work`, which needs no model, on a worker thread, and calls the returned function on the queue's
    /// thread. Neither that nor `heard` is called after `receiver` is destroyed.
    void compute(JobKind kind, QObject* receiver, std::function<std::function<void()>()> work);
    /// Like compute() above, for work that can be stopped and can report its progress.
    void compute(JobKind kind, QObject* receiver,
                 std::function<std::function<void()>(const trace::Task&)> work, Heard heard = {});
    /// Runs a request, then `work` on the run, and calls the returned function on the queue's thread, unless
    /// `receiver` is destroyed.
    void runAndCompute(JobKind kind, trace::Request request, QObject* receiver,
                       std::function<std::function<void()>(const trace::Run&)> work, Heard heard = {});
    /// Runs `question` on the engine's thread, and calls the returned function on the queue's thread, unless
    /// `receiver` is destroyed.
    void ask(JobKind kind, QObject* receiver,
             std::function<std::function<void()>(engine::Engine&, const trace::Task&)> question,
             Heard heard = {});
    /// Closes the second model and frees its engine. ask(JobKind::OtherModel) opens one.
    void closeOther();
    /// Tries readings of a model, one after the other (Engine::tryOut).
    void tryOut(std::vector<engine::ModelSource> sources, std::string sentence);
    /// Stops the job of a kind and drops its results.
    void stop(JobKind kind);
    bool isBusy(JobKind kind) const;

  Q_SIGNALS:
    void engineReady(const QString& description);
    void modelOpened(std::shared_ptr<const headscope::trace::ModelSummary> model);
    /// `run->complete` is false until the last step is decoded.
    void runDelivered(headscope::app::WorkQueue::JobKind kind,
                      std::shared_ptr<const headscope::trace::Run> run);
    /// The model to open lacks settings that it cannot be read without.
    void settingsMissing(const headscope::trace::MissingSettings& missing);
    /// `source` is an index into the list given to tryOut(). `trial` is empty if the model gave no output.
    void tried(int source, const std::optional<headscope::engine::Trial>& trial);
    /// `isHeard`: the refusal was also passed to the job's own callback.
    void refused(headscope::app::WorkQueue::JobKind kind, const headscope::trace::RefusalText& text,
                 bool isHeard = false);
    /// Fraction of a long job that is done, 0 to 1.
    void progressed(headscope::app::WorkQueue::JobKind kind, double share);
    /// A job was started, has ended, or was dropped.
    void busyChanged();

  private:
    static constexpr std::size_t jobKinds = static_cast<std::size_t>(JobKind::Trial) + 1;

    /// The kind of thread that runs a job. Jobs without an engine have their own threads, so that they do not
    /// wait behind hundreds of heads.
    enum class Worker { Engine, OtherEngine, Plain };

    struct Job {
        std::uint64_t generation = 0;
        JobKind kind = JobKind::Main;
        std::stop_source stop;
        /// The engine is null for Worker::Plain.
        std::function<void(engine::Engine*, const Job&)> work;
        Worker worker = Worker::Engine;
        Heard heard;
        bool closes = false; ///< frees the second engine instead of running `work`
    };

    void submit(JobKind kind, std::function<void(engine::Engine&, const Job&)> work, Heard heard = {});
    void submit(Job job);
    /// Wraps the callbacks so that they do nothing once `receiver` is destroyed.
    static Heard whileThere(QObject* receiver, Heard heard);
    void tellRefusal(const Job& job, const trace::RefusalText& text);
    void stopAll();
    static std::size_t index(JobKind kind) { return static_cast<std::size_t>(kind); }
    static bool isOfOther(JobKind kind) { return kind == JobKind::OtherModel || kind == JobKind::Other; }
    void interrupt();
    /// Restarts the interrupted jobs, or drops them.
    void endInterruption(bool restart);
    void withdraw(JobKind kind);
    /// Hands values to `deliver` on the queue's own thread.
    std::function<void(trace::Found)> deliverPartial(const Job& job,
                                                     std::function<void(trace::Found)> deliver);
    /// Returns a task whose progress is signalled as progressed().
    trace::Task taskOf(const Job& job);
    void workLoop(std::stop_token end);
    void workLoopOfOther(std::stop_token end);
    /// Creating the engine failed: refuses all pending and future jobs.
    void failForGood(const trace::RefusalText& text);
    void perform(engine::Engine* engine, const Job& job);
    std::optional<Job> nextJob(Worker worker, std::stop_token end);
    /// Calls `deliver` on the queue's thread. Called from worker threads.
    void tell(std::function<void()> deliver);
    /// Like tell(), if the job is still the newest of its kind.
    void post(const Job& job, std::function<void()> deliver);
    void finish(const Job& job, std::function<void()> deliver);

    MakeEngine makeEngine_;

    // Used on the queue's own thread only.
    std::array<std::uint64_t, jobKinds> newest_{};
    std::array<bool, jobKinds> busy_{};
    std::array<Job, jobKinds> latest_; ///< the newest job of each kind; `work` is empty once it is done
    std::array<bool, jobKinds> interrupted_{};  ///< by opening a model
    std::optional<trace::RefusalText> failure_; ///< why there is no engine

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::array<std::optional<Job>, jobKinds> pending_; ///< guarded by mutex_, as are the next two
    std::optional<JobKind> computed_;                  ///< kind of the job that the engine runs
    bool left_ = false;                                ///< nothing is delivered any more
    std::jthread worker_;
    std::array<std::jthread, 3> plainWorkers_; ///< three, so that one long job does not block the others
    std::jthread otherWorker_;                 ///< for the second model; started by its first job
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "model/engine/engine.h"
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

/// Runs the engine on one worker thread, so that the window never waits. Within a slot the newest job wins:
/// older work is stopped, and only the newest job's results are delivered. Signals come on the thread the
/// queue lives in. A second model, which is compared with the shown one, has an engine and a thread of its
/// own, made once it is asked for.
class RunQueue : public QObject {
    Q_OBJECT

  public:
    /// What is asked for; a slot with a lower number goes first.
    enum class Slot {
        Model,
        Main,        ///< what is shown
        Undisturbed, ///< the same without the changes a person made
        Forced,      ///< the changed model reading the undisturbed output
        Twin,        ///< the same network with random weights
        Entropy,     ///< of a head in the model and in its twin
        LongMaps,    ///< maps that the shown run left out
        FirstHead,   ///< which head aligns best, as a sentence is shown first
        Maps,        ///< what the shown run does not hold of one attention site
        View,        ///< errands of views that are in sight, one each: Errands gives them out
        LastView = View + 63,
        CausalRow,  ///< what the chosen token loses without each source token
        Statistics, ///< of every head in the shown run
        TwinStatistics,
        Tiles,      ///< small pictures of maps that the shown run left out
        Intervals,  ///< of a head over many sentences
        Lens,       ///< what the decoder's layers hold along the shown path
        Importance, ///< what each head is worth to the shown output
        TwinLens,   ///< both in the twin
        TwinImportance,
        Steps,         ///< the changed model's steps beside the undisturbed ones
        Compared,      ///< what is compared with the shown run, of the same model
        ComparedSteps, ///< both reading the same output
        OtherModel,    ///< a second model is opened, or closed; this and the next are of its engine
        Other,         ///< what is compared with the shown run, of the second model
        Path,          ///< what lies where a picture is to be saved
        Copied,        ///< a picture that goes to the clipboard
        Preview,       ///< of a picture that is saved
        Figure,        ///< the bytes of a picture that is saved
        Data,          ///< the numbers behind a view, to files
        Saving,        ///< the shown run with all that can be kept of it, to a file
        Weights,       ///< the hash of the open model's weights
        OtherWeights,  ///< of the second model's
        Session,       ///< a session's file
        Autosave,      ///< the same without being asked
        Corpus,        ///< many sentences, one after the other
        Trial,         ///< ways to read a model that does not say how
    };
    /// Makes the engine, on the worker thread.
    using MakeEngine = std::function<std::unique_ptr<engine::Engine>()>;

    explicit RunQueue(MakeEngine makeEngine, QObject* parent = nullptr);
    /// Stops what is running and waits for it.
    ~RunQueue() override;

    /// For the end of the program: nothing more is begun or told. What may be writing a file or drawing is
    /// waited for. What computes, and an engine that is being made, is not: it ends with the process, until
    /// which the queue must stay.
    void leave();

    /// Starts the worker, which makes the engine first. Called once, after the window was painted.
    void start();

    /// What is under way is interrupted: begun again where the model is refused, says too little or is not
    /// waited for, else dropped. Meanwhile its slots are busy.
    void open(engine::ModelSource source);
    /// The same of a model that is still to be found, on the worker thread: a disk may take long to answer.
    void open(std::function<engine::ModelSource()> find);
    /// Callbacks of one job. What is refused is signalled besides; who hears of its progress hears it alone.
    struct Heard {
        std::function<void(const trace::RefusalText&)> refused;
        std::function<void(double)> progressed;
    };
    /// Partial runs are delivered in the main slot only: the others are looked at when they are complete.
    void run(Slot slot, trace::Request request, QObject* receiver = nullptr, Heard heard = {});
    /// Calls `take` on the queue's thread with what is known of the heads, also while it is measured, unless
    /// `receiver` is gone.
    void measureImportance(Slot slot, QObject* receiver, trace::Request request,
                           std::function<void(std::shared_ptr<const trace::HeadImportance>)> take,
                           Heard heard = {});
    /// Does something long that needs no model. What it returns is called on the queue's thread.
    /// Neither that nor `heard` is called once `receiver` is destroyed.
    void compute(Slot slot, QObject* receiver, std::function<std::function<void()>()> work);
    /// The same of what may be stopped before its end, and may tell how far it is.
    void compute(Slot slot, QObject* receiver, std::function<std::function<void()>(const trace::Task&)> work,
                 Heard heard = {});
    /// Runs a request and does something long with what it gave. What that returns is called on the queue's
    /// thread, unless `receiver` is gone.
    void runAndCompute(Slot slot, trace::Request request, QObject* receiver,
                       std::function<std::function<void()>(const trace::Run&)> work, Heard heard = {});
    /// Asks the engine for something, which may tell how far it is. What that returns is called on the
    /// queue's thread, unless `receiver` is gone.
    void ask(Slot slot, QObject* receiver,
             std::function<std::function<void()>(engine::Engine&, const trace::Task&)> question,
             Heard heard = {});
    /// The second model goes, with the memory of its engine. A model is opened there by
    /// ask(Slot::OtherModel).
    void closeOther();
    /// Tries ways to read a model, one after the other (Engine::tryOut).
    void tryOut(std::vector<engine::ModelSource> sources, std::string sentence);
    /// Drops a slot's work; nothing of it is delivered any more.
    void stop(Slot slot);
    bool isBusy(Slot slot) const;

  Q_SIGNALS:
    void engineReady(const QString& description);
    void modelOpened(std::shared_ptr<const headscope::trace::ModelSummary> model);
    /// Complete values; `run->complete` is false while decoding goes on.
    void runDelivered(headscope::app::RunQueue::Slot slot, std::shared_ptr<const headscope::trace::Run> run);
    /// The model that was to be opened does not say how it is to be read.
    void settingsMissing(const headscope::trace::MissingSettings& missing);
    /// `source` counts in the list that tryOut was given; nothing where the model says nothing.
    void tried(int source, const std::optional<headscope::engine::Trial>& trial);
    /// `isHeard`: whoever asked knows, and says it where the answer would be.
    void refused(headscope::app::RunQueue::Slot slot, const headscope::trace::RefusalText& text,
                 bool isHeard = false);
    /// How much of a slot's work is done, from 0 to 1: now and then, where that takes long.
    void progressed(headscope::app::RunQueue::Slot slot, double share);
    /// Work of a slot began, ended or was dropped.
    void busyChanged();

  private:
    static constexpr std::size_t slotCount = static_cast<std::size_t>(Slot::Trial) + 1;

    /// Who does a job. One without an engine has a thread of its own, so that it need not wait for hundreds
    /// of heads.
    enum class Worker { Engine, OtherEngine, Plain };

    struct Job {
        std::uint64_t generation = 0;
        Slot slot = Slot::Main;
        std::stop_source stop;
        /// Of Worker::Plain, null is handed over.
        std::function<void(engine::Engine*, const Job&)> work;
        Worker worker = Worker::Engine;
        Heard heard;
        bool closes = false; ///< of the other engine, which goes instead of doing something
    };

    void submit(Slot slot, std::function<void(engine::Engine&, const Job&)> work, Heard heard = {});
    void submit(Job job);
    /// Wraps the callbacks so that they do nothing once `receiver` is destroyed.
    static Heard whileThere(QObject* receiver, Heard heard);
    void tellRefusal(const Job& job, const trace::RefusalText& text);
    void stopAll();
    static std::size_t index(Slot slot) { return static_cast<std::size_t>(slot); }
    static bool isOfOther(Slot slot) { return slot == Slot::OtherModel || slot == Slot::Other; }
    void interrupt();
    /// Begins again what was interrupted, or drops it.
    void endInterruption(bool goOn);
    void withdraw(Slot slot);
    /// A progress callback that hands complete values to `deliver` on the queue's own thread.
    template <class Value>
    std::function<void(std::shared_ptr<const Value>)>
    deliverPartial(const Job& job, std::function<void(std::shared_ptr<const Value>)> deliver);
    /// What it is told comes as progressed().
    trace::Task taskOf(const Job& job);
    void workLoop(std::stop_token end);
    void workLoopOfOther(std::stop_token end);
    /// There is no engine: what waits and what comes is refused.
    void failForGood(const trace::RefusalText& text);
    void perform(engine::Engine* engine, const Job& job);
    std::optional<Job> nextJob(Worker worker, std::stop_token end);
    /// Calls `deliver` on the queue's thread, from any other.
    void tell(std::function<void()> deliver);
    /// The same if the job is still the newest of its slot.
    void post(const Job& job, std::function<void()> deliver);
    void finish(const Job& job, std::function<void()> deliver);

    MakeEngine makeEngine_;

    // Of the queue's own thread.
    std::array<std::uint64_t, slotCount> newest_{};
    std::array<bool, slotCount> busy_{};
    std::array<Job, slotCount> latest_;         ///< of every slot; without its work once that is done
    std::array<bool, slotCount> interrupted_{}; ///< by a model that is being opened
    std::optional<trace::RefusalText> failure_; ///< why there is no engine

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::array<std::optional<Job>, slotCount> pending_; ///< guarded by mutex_, as are the next two
    std::optional<Slot> computed_;                      ///< what the engine does now
    bool left_ = false;                                 ///< nobody is told anything any more
    std::jthread worker_;
    std::array<std::jthread, 3> plainWorkers_; ///< what needs no engine: one long job does not keep others
    std::jthread otherWorker_;                 ///< of the second model; started by the first job for it
};

} // namespace headscope::app

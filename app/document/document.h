#pragma once

#include <QObject>

#include "app/document/branch_names.h"
#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "widgets/selection.h"
#include "widgets/view_context.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// What a window shows: the open model, the current run, the changes to the model and the selection; and the
/// queue that computes all of it.
class Document : public QObject {
    Q_OBJECT

  public:
    /// `settings` must outlive this; `window` is the parent of dialogs. Without both, as in `render`, there
    /// is no opener().
    explicit Document(WorkQueue::MakeEngine makeEngine, Settings* settings = nullptr,
                      QWidget* window = nullptr);
    /// Waits for running work, unless leaveComputing() was called.
    ~Document() override;

    WorkQueue* queue() const { return queue_; }
    ModelOpener* opener() const { return opener_; }
    widgets::Selection* selection() const { return selection_; }
    DecodeController* controller() const { return controller_; }
    /// Null if no model is open.
    const std::shared_ptr<const trace::ModelSummary>& model() const { return model_; }
    const std::shared_ptr<const trace::Run>& run() const { return controller_->run(); }
    /// The same, as views see it.
    const widgets::DocumentState& state() const { return state_; }
    /// No model is open or being opened.
    bool isModelMissing() const { return modelMissing_; }
    /// A model is being opened.
    bool isOpening() const { return queue_->isBusy(WorkQueue::JobKind::Model); }

    /// Starts the worker, which loads the engine. Until then isModelMissing() is false.
    void start();
    /// Who reads sessions: while it does, no model is missing.
    void setSessions(const QObject* sessions) { sessions_ = sessions; }
    /// Updates isModelMissing().
    void lookForModel();
    /// Makes `model` the open one.
    void adopt(std::shared_ptr<const trace::ModelSummary> model);
    /// Gives a choice, or several at once, another value; how views see it: chosenValue().
    void choose(const std::string& view, const std::string& name, const widgets::ChoiceValue& value) {
        choose({{view, {{name, value}}}});
    }
    void choose(const widgets::Choices& choices);
    /// Wants to know what each head of the shown run is worth, as long as that is shown.
    void measureHeads();
    void stopMeasuring();
    /// The heads of the shown run are measured.
    void noteMeasured();
    /// Computes head statistics over many sentences, of the sample corpus or of a text file, and stops those
    /// in progress. The queue reads the file and signals refusals.
    void readSamples();
    void readFile(const QString& path);
    void readCorpus(std::vector<std::string> sentences);
    /// Takes the statistics after one more sentence.
    void noteRead(std::shared_ptr<const analysis::CorpusReading> reading);
    /// Stops reading the corpus and keeps the statistics of the sentences read so far.
    void stopReading();
    /// Statistics of heads are over the sentences read last, or of the shown run.
    void listCorpus(bool listed);
    /// Whose logit gradients are of; empty: that of the likeliest class of each run.
    void chooseClass(std::optional<std::size_t> chosen);
    /// Sentences that views begin with, told with the next state, and the code of their language.
    void setSamples(const QStringList& sentences, const std::string& language);
    /// Names a path of the last complete run; an empty name restores the default one.
    void nameBranch(std::size_t path, const QString& name);
    /// Opens a second model in an engine of its own, unless it is open or being opened, and closes the one
    /// before; an empty name closes it only.
    void openSecond(const QString& pathOrName);
    void stopOpeningSecond();
    void setTwinSeed(std::uint64_t seed);
    void setUnsureBelow(double probability);
    /// If set, the next complete run selects a head; otherwise the selected head stays.
    void setHeadFollowsRun(bool follows) { headFollowsRun_ = follows; }
    /// Move the selection by `layers` and `heads`, or to a kind, limited to the heads that the model has.
    void goToHead(int layers, int heads);
    void goToKind(trace::AttentionKind kind);
    /// For the end of the program: the destructor will not wait for running computations.
    void leaveComputing() { leavesComputing_ = true; }

  Q_SIGNALS:
    /// model() changed.
    void modelChanged(std::shared_ptr<const headscope::trace::ModelSummary> model);
    /// state().second.model changed.
    void secondChanged();
    /// state() changed.
    void stateChanged();

  private:
    void followState();
    void setSecond(widgets::DocumentState::SecondModel second);
    void followUnchanged();
    void followMeasuring();
    void setBranches(const std::shared_ptr<const trace::Run>& run);
    void followRun(const std::shared_ptr<const trace::Run>& run);
    void chooseHead(const std::shared_ptr<const trace::Run>& run);
    void keepPins();

    WorkQueue* queue_;
    Settings* settings_; ///< null: there are none
    ModelOpener* opener_;
    widgets::Selection* selection_;
    DecodeController* controller_;
    const QObject* sessions_ = nullptr; ///< null: nobody reads any
    std::shared_ptr<const trace::ModelSummary> model_;
    widgets::DocumentState state_;
    std::shared_ptr<const trace::Run> unchanged_; ///< the last one without changes of the model
    BranchNames branchNames_;
    std::optional<trace::Request> measurable_; ///< the last request that is complete
    bool started_ = false;
    bool modelMissing_ = false;
    bool headFollowsRun_ = true;
    bool leavesComputing_ = false;
};

} // namespace headscope::app

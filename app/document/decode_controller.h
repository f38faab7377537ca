#pragma once

#include <QObject>

#include "app/results/run_queue.h"
#include "model/analysis/heads/break_condition.h"
#include "widgets/selection.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::app {

/// Turns what a person does with the sentence and the decode bar into requests, and keeps the run that is
/// shown. A step is a row of the target; the selection's step is the one that is looked at. Whatever goes on
/// from a run goes on from the one that is shown, not from what was asked for since.
class DecodeController : public QObject {
    Q_OBJECT

  public:
    /// Both are there for as long as the controller is used.
    DecodeController(RunQueue* queue, widgets::Selection* selection, QObject* parent = nullptr);

    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    /// Rows that can be stepped through.
    int steps() const { return run_ ? static_cast<int>(run_->target.size()) : 0; }
    /// The path ended with its end token or at the maximum length.
    bool isFinished() const;
    /// The row that is looked at.
    int step() const { return selection_->step(); }
    bool isDecoding() const { return queue_->isBusy(RunQueue::Slot::Main); }

    const std::vector<trace::Intervention>& interventions() const { return interventions_; }
    /// What is being decoded, else what is shown, with these changes; nothing if there is neither.
    std::optional<trace::Request> requestWith(const std::vector<trace::Intervention>& interventions) const;
    /// The request of the run that is shown, for where there is one: its last path is the one that is looked
    /// at, whichever the run was asked for. A path that was stopped ends where it was stopped.
    trace::Request shownRequest() const;
    /// Part of every request from now on; what is wanted is decoded anew at once.
    void setInterventions(std::vector<trace::Intervention> interventions);
    /// Shows a run that was kept, with its changes, without computing it again.
    void show(std::shared_ptr<const trace::Run> run);

    /// What is to be seen again, whole.
    struct Restored {
        trace::Request request;
        int newTokens = 0;
        std::vector<std::int64_t> shown; ///< tokens of the path, where it is not the last one
        int step = 0;
    };
    /// Shows the run that `kept` has of the request as it is asked for, else computes it.
    void restore(const Restored& restored,
                 const std::function<std::shared_ptr<const trace::Run>(const trace::Request&)>& kept);

    /// Forgets run, padding and changes: another model is open, which decodes like this unless told
    /// otherwise.
    void clear(const trace::ModelSummary& model);

    const trace::Decoding& decoding() const { return decoding_; }
    int newTokens() const { return newTokens_; }

  public Q_SLOTS:
    /// Decodes a sentence or ids: to the end, or only the first token if that is switched on.
    void decode(const headscope::trace::Source& source);
    void setPadding(int source, int target);
    /// Tokens come one by one, greedily where a beam would look ahead, until toEnd().
    void setStepByStep(bool on) { stepByStep_ = on; }
    /// How the next tokens are chosen and how many at most; decodes again if there is a run.
    void setDecoding(const headscope::trace::Decoding& decoding, int newTokens);
    void toStart();
    void back();
    /// To the next row; at the end of what was decoded, decodes one token more.
    void forward();
    /// To the last row; decodes to the end first if that is missing.
    void toEnd();
    void stop();
    void goTo(int step);
    /// Decodes this token at this step instead, and on from there.
    void choose(int step, std::int64_t id);
    /// To the next row after the current one that meets the condition, decoding to the end if that is
    /// missing.
    void runTo(const headscope::analysis::BreakCondition& condition);

    /// Another of the request's paths, by its number; its rows are there already. Looked at in `step`, or in
    /// the current one.
    void showPath(std::size_t path, std::optional<int> step = {});
    /// The path to any node of the tree, looked at in the row that chose it.
    void showNode(headscope::trace::DecodeTree::NodeId node);
    /// A request has one path at least: the last one stays.
    void removePath(std::size_t path);
    /// Feeds the whole of a text or ids and decodes nothing: what would the model have thought of it?
    void force(const headscope::trace::TargetPrefix& target);

  Q_SIGNALS:
    /// Another request is on its way: what was computed for the one before is stale.
    void asked(const headscope::trace::Request& request);
    /// What was asked for cannot be had: what is shown stays.
    void refused(const headscope::trace::RefusalText& text);
    /// Another run is shown; null if there is none.
    void runChanged(std::shared_ptr<const headscope::trace::Run> run);
    /// Decoding options or maximum length are others.
    void decodingChanged();
    /// runTo() found no such row, or the one it stopped at.
    void runToEnded(std::optional<int> step);

  private:
    /// Drops what is on its way.
    void halt();
    /// Turns to the path that restore() was given.
    void showWanted();
    void take(RunQueue::Slot slot, std::shared_ptr<const trace::Run> run);
    /// Asks for `request` and looks at `step` when it is there, unless the person goes elsewhere meanwhile.
    void ask(trace::Request request, int step);
    /// With what every request has.
    trace::Request completed(trace::Request request,
                             const std::vector<trace::Intervention>& interventions) const;
    int tokensLeft(std::size_t forced) const;
    /// On from what is forced: one token, or as many as may come.
    trace::DecodePath onFrom(std::vector<std::int64_t> forced, bool oneToken) const;
    bool canTurn() const;
    /// The shown run's tree from another side.
    void showLeaf(trace::DecodeTree::NodeId leaf, int step);
    void stopAtBreak();

    RunQueue* queue_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<trace::Request> asked_; ///< last
    trace::Padding padding_;
    std::vector<trace::Intervention> interventions_;
    trace::Decoding decoding_;
    int newTokens_ = trace::ModelSummary().newTokens;
    bool stepByStep_ = false;
    bool turning_ = false; ///< what is on its way is the shown run from another side
    struct Break {
        analysis::BreakCondition condition;
        std::size_t from = 0;
    };
    std::optional<Break> break_;           ///< run to, as soon as there is such a row
    std::vector<std::int64_t> wantedPath_; ///< to turn to once it is there
    std::optional<int> wantedStep_;        ///< where to look once the run has so many rows
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/work/work_queue.h"
#include "model/analysis/heads/break_condition.h"
#include "model/trace/known_answers.h"
#include "widgets/selection.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope::widgets {
class ViewChoices;
}

namespace headscope::app {

/// Turns user actions on the sentence and the decode bar into requests, and holds the shown run. A step is a
/// row of the target; the selection holds the current step. Decoding always continues from the shown run, not
/// from a request that is still pending.
class DecodeController : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive the controller.
    DecodeController(WorkQueue* queue, widgets::Selection* selection, QObject* parent = nullptr);

    /// Where runs that were shown before are found, instead of decoding them again; must outlive the
    /// controller.
    void setKnown(const trace::KnownAnswers* known) { known_ = known; }
    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    int steps() const { return run_ ? run_->steps() : 0; } ///< trace::Run::steps()
    /// True if the path ended with its end token or at the maximum length, or if there is no path.
    bool isFinished() const;
    int step() const { return selection_->step(); }
    bool isDecoding() const { return queue_->isBusy(WorkQueue::JobKind::Main); }
    /// Binds the token that is compared with.
    void addChoices(widgets::ViewChoices& choices);

    const std::vector<trace::Intervention>& interventions() const { return interventions_; }
    /// Returns the pending request, else that of the shown run, with these changes; empty if there is
    /// neither.
    std::optional<trace::Request> requestWith(const std::vector<trace::Intervention>& interventions) const;
    /// Returns the request of the shown run, which must exist: its last path is the shown one, whichever path
    /// the run was requested for. A stopped path ends where it was stopped.
    trace::Request shownRequest() const;
    /// Sets the changes of all requests from now on, and shows the pending or shown request with them.
    /// Refused where a trace is shown.
    void setInterventions(std::vector<trace::Intervention> interventions);

    /// A view of a run to be restored.
    struct Restored {
        trace::Request request;
        int newTokens = 0;
        std::vector<std::int64_t> shown; ///< tokens of the shown path; empty if it is the request's last path
        int step = 0;
    };
    /// Shows the run of the completed request.
    void restore(const Restored& restored);

    /// Forgets run, padding and changes when another model is opened, and adopts its decoding options.
    void clear(const trace::ModelSummary& model);

    const trace::Decoding& decoding() const { return decoding_; }
    /// What is computed about a run compares every chosen token with this one (trace::Request::ratherThan).
    const std::optional<std::string>& ratherThan() const { return ratherThan_; }
    int newTokens() const { return newTokens_; }

  public Q_SLOTS:
    /// Decodes a sentence or ids: to the end, or only the first token in step-by-step mode. `second` is the
    /// second text of a pair.
    void decode(const headscope::trace::Source& source, const std::optional<std::string>& second = {});
    void setPadding(int source, int target);
    /// If on, decodes one token at a time until toEnd(); greedily, since a beam search would look ahead.
    void setStepByStep(bool on) { stepByStep_ = on; }
    /// Sets how the next tokens are chosen and how many at most; decodes again if there is a run.
    void setDecoding(const headscope::trace::Decoding& decoding, int newTokens);
    /// Like setDecoding(), on behalf of the user: the window may keep the choice for this model.
    void chooseDecoding(const headscope::trace::Decoding& decoding, int newTokens);
    /// An empty text: the chosen tokens alone.
    void setRatherThan(const QString& token);
    void toStart();
    void back();
    /// Goes to the next row; at the last one, decodes one more token.
    void forward();
    /// Goes to the last row; first decodes to the end if necessary.
    void toEnd();
    void stop();
    void goTo(int step);
    /// Replaces the token chosen at `step` and decodes on from there, as a new branch.
    void choose(int step, std::int64_t id);
    /// Goes to the next row after the current one that meets the condition, decoding to the end if necessary.
    void runTo(const headscope::analysis::BreakCondition& condition);

    /// Shows a path of the request in row `step`, by default the current one. Ignored while other work is
    /// pending; refused if a trace lacks the maps of the path.
    void showPath(std::size_t path, std::optional<int> step = {});
    /// Shows the path to any node of the tree, in the row that chose it. Ignored and refused as above.
    void showNode(headscope::trace::DecodeTree::NodeId node);
    /// Ignored if `path` is the only one: a request has at least one path.
    void removePath(std::size_t path);
    /// Feeds a whole text or ids to the decoder and decodes nothing, to see the probabilities that the model
    /// gives them.
    void force(const headscope::trace::TargetPrefix& target);
    /// Forces a typed sentence, or typed ids, before which the start token is put.
    void forceTyped(const QString& typed);

  Q_SIGNALS:
    /// A new request is pending: results for the one before are stale.
    void asked(const headscope::trace::Request& request);
    /// A request was refused; the shown run stays.
    void refused(const headscope::trace::RefusalText& text);
    /// Null if no run is shown.
    void runChanged(std::shared_ptr<const headscope::trace::Run> run);
    /// Decoding options or the maximum length changed.
    void decodingChanged();
    void decodingChosen(const headscope::trace::Decoding& decoding, int newTokens);
    /// interventions() may have changed, also if no run results.
    void interventionsChanged();
    void ratherThanChanged();
    /// runTo() stopped at `step`, or found no such row (empty).
    void runToEnded(std::optional<int> step);

  private:
    /// A complete run that was shown before; null: it is not known.
    std::shared_ptr<const trace::Run> knownRun(const trace::Request& request) const;
    /// Drops the pending request.
    void halt();
    /// Shows the path that restore() was given.
    void showWanted();
    void take(WorkQueue::JobKind kind, std::shared_ptr<const trace::Run> run);
    /// Submits `request`, and selects `step` once it exists unless the user goes elsewhere meanwhile.
    void ask(trace::Request request, int step);
    /// Adds padding, decoding options, changes and what to record.
    trace::Request completed(trace::Request request,
                             const std::vector<trace::Intervention>& interventions) const;
    int tokensLeft(std::size_t forced) const;
    /// Continues after `forced` with one token, or with as many as the maximum length allows.
    trace::DecodePath onFrom(std::vector<std::int64_t> forced, bool oneToken) const;
    bool canTurn() const;
    /// Shows the shown run along the path to another leaf.
    void showLeaf(trace::DecodeTree::NodeId leaf, int step);
    /// Returns true, and reports it, if a trace has no maps of the path to a node.
    bool refuses(trace::DecodeTree::NodeId node);
    void stopAtBreak();

    WorkQueue* queue_;
    widgets::Selection* selection_;
    const trace::KnownAnswers* known_ = trace::NothingKnown::instance();
    std::shared_ptr<const trace::Run> run_;
    std::optional<trace::Request> asked_; ///< the last request
    trace::Padding padding_;
    std::vector<trace::Intervention> interventions_;
    trace::Decoding decoding_;
    std::optional<std::string> ratherThan_;
    int newTokens_ = trace::ModelSummary().newTokens;
    bool stepByStep_ = false;
    bool turning_ = false; ///< the pending work only shows another path of the shown run
    struct Break {
        analysis::BreakCondition condition;
        std::size_t from = 0;
    };
    std::optional<Break> break_;           ///< stop condition of runTo(), until it is met
    std::vector<std::int64_t> wantedPath_; ///< tokens of the path to show once it exists
    std::optional<int> wantedStep_;        ///< the row to select once the run has that many
};

} // namespace headscope::app

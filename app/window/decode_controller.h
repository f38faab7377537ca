#pragma once

#include <QObject>

#include "app/window/run_queue.h"
#include "widgets/selection.h"

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
    bool isDecoding() const { return queue_->isBusy(RunQueue::Slot::Main); }

    const std::vector<trace::Intervention>& interventions() const { return interventions_; }
    /// What is being decoded, else what is shown, with these changes; nothing if there is neither.
    std::optional<trace::Request> requestWith(const std::vector<trace::Intervention>& interventions) const;
    /// Part of every request from now on; what is wanted is decoded anew at once.
    void setInterventions(std::vector<trace::Intervention> interventions);
    /// Shows a run that was kept, with its changes, without computing it again.
    void show(std::shared_ptr<const trace::Run> run);

    /// Forgets run, padding and changes: another model is open.
    void clear();

  public Q_SLOTS:
    /// Decodes a sentence or ids: to the end, or only the first token if that is switched on.
    void decode(const headscope::trace::Source& source);
    void setPadding(int source, int target);
    void setStepByStep(bool on) { stepByStep_ = on; }
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

  Q_SIGNALS:
    /// Another request is on its way: what was computed for the one before is stale.
    void asked(const headscope::trace::Request& request);
    /// Another run is shown; null if there is none.
    void runChanged(std::shared_ptr<const headscope::trace::Run> run);

  private:
    void take(RunQueue::Slot slot, std::shared_ptr<const trace::Run> run);
    /// Asks for `request` and looks at `step` when it is there, unless the person goes elsewhere meanwhile.
    void ask(trace::Request request, int step);
    /// With what every request has.
    trace::Request completed(trace::Request request,
                             const std::vector<trace::Intervention>& interventions) const;
    /// The request of the run that is shown. A path that was stopped ends where it was stopped.
    trace::Request shownRequest() const;
    /// What the decoder was fed and chose so far, as a prefix to force.
    std::vector<std::int64_t> decodedIds() const;
    int tokensLeft(std::size_t forced) const;

    RunQueue* queue_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    std::optional<trace::Request> asked_; ///< last
    trace::Padding padding_;
    std::vector<trace::Intervention> interventions_;
    bool stepByStep_ = false;
    std::optional<int> wantedStep_; ///< where to look once the run has so many rows
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/window/run_queue.h"
#include "widgets/selection.h"

#include <memory>

namespace headscope::app {

/// Turns what a person does with the sentence and the decode bar into requests, and keeps the run that is
/// shown. A step is a row of the target; the selection's step is the one that is looked at.
class DecodeController : public QObject {
    Q_OBJECT

  public:
    /// Both outlive the controller.
    DecodeController(RunQueue* queue, widgets::Selection* selection, QObject* parent = nullptr);

    const std::shared_ptr<const trace::Run>& run() const { return run_; }
    /// Rows that can be stepped through.
    int steps() const { return run_ ? static_cast<int>(run_->target.size()) : 0; }
    /// The path ended with its end token or at the maximum length.
    bool isFinished() const;
    bool isDecoding() const { return queue_->isBusy(RunQueue::Slot::Main); }
    bool decodesStepByStep() const { return stepByStep_; }

    /// Forgets the run: another model is open.
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
    /// Another run is shown; null if there is none.
    void runChanged(std::shared_ptr<const headscope::trace::Run> run);

  private:
    void take(std::shared_ptr<const trace::Run> run);
    void submit(trace::DecodePath path, bool newBranch);
    /// What the decoder was fed and chose so far, as a prefix to force.
    std::vector<std::int64_t> decodedIds() const;
    int tokensLeft(std::size_t forced) const;

    enum class After { Stay, ToLast, ToStart };

    RunQueue* queue_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    trace::Request request_; ///< the one asked for last
    bool stepByStep_ = false;
    After after_ = After::ToStart; ///< where the step goes when the run arrives
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/document/model_opener.h"
#include "app/document/what_if.h"
#include "widgets/selection.h"

#include <memory>

namespace headscope::app {

/// What a window shows: the open model, the current run, the changes to the model and the selection; and the
/// queue that computes all of it.
class Document : public QObject {
    Q_OBJECT

  public:
    /// `settings` outlives this; dialogs stand on `window`.
    Document(RunQueue::MakeEngine makeEngine, Settings* settings, QWidget* window);
    /// Work that is under way is waited for, unless it was left.
    ~Document() override;

    RunQueue* queue() const { return queue_; }
    ModelOpener* opener() const { return opener_; }
    widgets::Selection* selection() const { return selection_; }
    DecodeController* controller() const { return controller_; }
    WhatIf* whatIf() const { return whatIf_; }
    /// Null as long as none is open.
    const std::shared_ptr<const trace::ModelSummary>& model() const { return model_; }
    const std::shared_ptr<const trace::Run>& run() const { return controller_->run(); }
    /// No model is open or being opened.
    bool isModelMissing() const { return modelMissing_; }
    /// A model is being opened.
    bool isOpening() const { return queue_->isBusy(RunQueue::Slot::Model); }

    /// The worker loads the engine; a model is expected from then on.
    void start();
    /// Updates isModelMissing().
    void lookForModel();
    /// Makes `model` the open one.
    void adopt(std::shared_ptr<const trace::ModelSummary> model);
    /// The next run decides which head is looked at first, or goes on with the one that is.
    void setHeadFollowsRun(bool follows) { headFollowsRun_ = follows; }
    /// To the next or previous layer, head or kind, as far as the model has it.
    void goToHead(int layers, int heads);
    void goToKind(trace::AttentionKind kind);
    /// For the end of the program: what is being computed is not waited for.
    void leaveComputing() { leavesComputing_ = true; }

  Q_SIGNALS:
    /// model() changed.
    void modelChanged(std::shared_ptr<const headscope::trace::ModelSummary> model);

  private:
    void followRun(const std::shared_ptr<const trace::Run>& run);
    void chooseHead(const std::shared_ptr<const trace::Run>& run);
    void keepPins();

    RunQueue* queue_;
    ModelOpener* opener_;
    widgets::Selection* selection_;
    DecodeController* controller_;
    WhatIf* whatIf_;
    std::shared_ptr<const trace::ModelSummary> model_;
    bool started_ = false;
    bool modelMissing_ = false;
    bool headFollowsRun_ = true;
    bool leavesComputing_ = false;
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/run_queue.h"
#include "widgets/views/scale/scale_question.h"

#include <optional>

namespace headscope::widgets {
class ScaleView;
}

namespace headscope::app {

class RandomTwin;
class WhatIf;

/// Counts what the view of the scale asks for off the window's thread, measures the random twin when that is
/// wanted, and makes a temperature a change of the model.
class ScaleAnswers : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    ScaleAnswers(RunQueue* queue, DecodeController* controller, WhatIf* whatIf, RandomTwin* twin,
                 widgets::ScaleView* view, QObject* parent = nullptr);

    bool isMeasuring() const { return queue_->isBusy(RunQueue::Slot::ScaleTwin); }

  public Q_SLOTS:
    /// The twin is not measured any more.
    void stopTwin();

  private:
    void follow();
    void measureTwin();
    void showRefusal(RunQueue::Slot slot, const trace::RefusalText& text);
    void applyToModel(double temperature);

    RunQueue* queue_;
    DecodeController* controller_;
    WhatIf* whatIf_;
    RandomTwin* twin_;
    widgets::ScaleView* view_;
    std::optional<widgets::ScaleQuestion> asked_; ///< and not answered yet
};

} // namespace headscope::app

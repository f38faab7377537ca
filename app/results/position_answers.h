#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/run_queue.h"
#include "widgets/views/positions/position_question.h"

#include <optional>

namespace headscope::widgets {
class PositionalEncodingView;
}

namespace headscope::app {

/// Computes what the page of positions in sight asks for, on the worker thread, and hands it to the view. A
/// page that is out of sight costs nothing.
class PositionAnswers : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    PositionAnswers(RunQueue* queue, DecodeController* controller, widgets::PositionalEncodingView* view,
                    QObject* parent = nullptr);

  private:
    void follow();
    void measure();
    void takeApart();
    void read();
    void take(RunQueue::Slot slot, const std::shared_ptr<const trace::Run>& run);
    void answer(widgets::PositionAnswer answer);

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::PositionalEncodingView* view_;
    std::optional<widgets::PositionQuestion> asked_; ///< and not answered yet
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/document/decode_controller.h"
#include "app/results/run_queue.h"

#include <memory>

namespace headscope::widgets {
class ArchitectureView;
}

namespace headscope::app {

/// Has measured what flows through the model in the shown run, as long as the architecture is in sight and
/// does not know it.
class FlowAnswers : public QObject {
    Q_OBJECT

  public:
    /// All of them are there for as long as this is used.
    FlowAnswers(RunQueue* queue, DecodeController* controller, widgets::ArchitectureView* view,
                QObject* parent = nullptr);

  private:
    void follow();

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::ArchitectureView* view_;
    std::shared_ptr<const trace::Run> asked_; ///< and not answered yet
};

} // namespace headscope::app

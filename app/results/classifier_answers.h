#pragma once

#include <QObject>

#include "app/results/run_queue.h"

#include <memory>

namespace headscope::widgets {
class ClassifierView;
}

namespace headscope::app {

/// Lets the engine take a classifier's answer apart as long as the view of it is in sight.
class ClassifierAnswers : public QObject {
    Q_OBJECT

  public:
    /// Both are there for as long as this is used.
    ClassifierAnswers(RunQueue* queue, widgets::ClassifierView* view, QObject* parent = nullptr);

  private:
    void follow();

    RunQueue* queue_;
    widgets::ClassifierView* view_;
    std::shared_ptr<const trace::Run> asked_; ///< and not read yet
};

} // namespace headscope::app

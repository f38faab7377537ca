#include "app/results/classifier_answers.h"

#include "widgets/views/classifier/classifier_view.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

ClassifierAnswers::ClassifierAnswers(RunQueue* queue, widgets::ClassifierView* view, QObject* parent)
    : QObject(parent), queue_(queue), view_(view) {
    connect(view, &widgets::ClassifierView::wantedChanged, this, &ClassifierAnswers::follow);
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Classifier && std::exchange(asked_, nullptr))
            view_->setWhyNot(QString::fromStdString(trace::paragraph(text)));
    });
    connect(queue, &RunQueue::busyChanged, this, [this] {
        if (!queue_->isBusy(Slot::Classifier))
            asked_.reset(); // it was dropped, as all work is when a model is opened
    });
}

void ClassifierAnswers::follow() {
    const auto wanted = view_->wanted();
    if (wanted == asked_)
        return;
    queue_->stop(Slot::Classifier); // which forgets what was asked
    asked_ = wanted;
    if (!asked_)
        return;
    queue_->ask(Slot::Classifier, this, [this, run = asked_](engine::Engine& engine, std::stop_token stop) {
        return [this, reading = engine.classifierReading(run->request, std::move(stop))] {
            asked_.reset();
            view_->setReading(reading);
        };
    });
}

} // namespace headscope::app

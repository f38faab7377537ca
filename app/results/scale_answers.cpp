#include "app/results/scale_answers.h"

#include "app/document/what_if.h"
#include "app/models/runs_beside.h"
#include "app/results/random_twin.h"
#include "widgets/views/scale/scale_view.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace headscope::app {

using Slot = RunQueue::Slot;

ScaleAnswers::ScaleAnswers(RunQueue* queue, DecodeController* controller, WhatIf* whatIf, RandomTwin* twin,
                           widgets::ScaleView* view, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), whatIf_(whatIf), twin_(twin), view_(view) {
    connect(view, &widgets::ScaleView::questionChanged, this, &ScaleAnswers::follow);
    connect(view, &widgets::ScaleView::twinWanted, this, &ScaleAnswers::measureTwin);
    connect(view, &widgets::ScaleView::temperatureWanted, this, &ScaleAnswers::applyToModel);
    connect(queue, &RunQueue::busyChanged, this, [this] {
        if (!queue_->isBusy(Slot::Scale))
            asked_.reset(); // it was dropped, as all work is when a model is opened
        view_->setMeasuringTwin(isMeasuring());
    });
    connect(view, &widgets::ScaleView::twinStopped, this, &ScaleAnswers::stopTwin);
    connect(queue, &RunQueue::refused, this, &ScaleAnswers::showRefusal);
    connect(queue, &RunQueue::progressed, this, [this](Slot slot, double share) {
        if (slot == Slot::Scale)
            view_->setShareCounted(share);
    });
}

void ScaleAnswers::follow() {
    auto question = view_->question();
    if (question == asked_)
        return;
    queue_->stop(Slot::Scale); // which forgets what was asked
    asked_ = std::move(question);
    if (!asked_)
        return;
    view_->setShareCounted(0);
    queue_->compute(Slot::Scale, this,
                    [this, question = *asked_, known = view_->whatIsKnown()](const trace::LongWork& work) {
                        return [this, found = widgets::answerOf(question, known, work)] {
                            asked_.reset();
                            view_->setAnswer(found);
                        };
                    });
}

void ScaleAnswers::stopTwin() {
    queue_->stop(Slot::ScaleTwin);
}

void ScaleAnswers::showRefusal(Slot slot, const trace::RefusalText& text) {
    const QString words = QString::fromStdString(trace::paragraph(text));
    if (slot == Slot::Scale)
        view_->showRefusal(words);
    else if (slot == Slot::ScaleTwin)
        view_->showTwinRefusal(words);
}

void ScaleAnswers::measureTwin() {
    const auto& run = controller_->run();
    if (!run)
        return;
    const auto seed = twin_->seed();
    queue_->runAndCompute(Slot::ScaleTwin, twinReadingRequest(controller_->shownRequest(), *run, seed), this,
                          [this, run, seed](const trace::Run& twin) {
                              return [this, run, seed, spreads = analysis::spreadOfHeads(twin)] {
                                  if (run == controller_->run())
                                      view_->setTwin(spreads, seed);
                              };
                          });
}

/// On top of a temperature that the model has already: its scores are divided by both.
void ScaleAnswers::applyToModel(double temperature) {
    const auto& list = whatIf_->interventions();
    const auto same = std::ranges::find_if(list, [](const trace::Intervention& change) {
        return change.on && std::holds_alternative<trace::SoftmaxTemperature>(change.change);
    });
    if (same == list.end())
        return whatIf_->add(trace::SoftmaxTemperature{temperature});
    const double before = std::get<trace::SoftmaxTemperature>(same->change).temperature;
    whatIf_->replace(static_cast<int>(same - list.begin()), trace::SoftmaxTemperature{before * temperature});
}

} // namespace headscope::app

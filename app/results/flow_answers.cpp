#include "app/results/flow_answers.h"

#include "app/models/runs_beside.h"
#include "widgets/views/architecture/architecture_view.h"

#include <utility>

namespace headscope::app {

using Slot = RunQueue::Slot;

FlowAnswers::FlowAnswers(RunQueue* queue, DecodeController* controller, widgets::ArchitectureView* view,
                         QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller), view_(view) {
    connect(view, &widgets::ArchitectureView::unmeasuredChanged, this, &FlowAnswers::follow);
    connect(queue, &RunQueue::busyChanged, this, [this] {
        if (!queue_->isBusy(Slot::Flow))
            asked_.reset(); // it was dropped, as all work is when a model is opened
    });
    connect(queue, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Flow && asked_)
            view_->setFlow(std::exchange(asked_, nullptr), nullptr,
                           QString::fromStdString(trace::paragraph(text)));
    });
}

void FlowAnswers::follow() {
    auto run = view_->unmeasured();
    if (run == asked_)
        return;
    queue_->stop(Slot::Flow); // which forgets what was asked
    asked_ = run == controller_->run() ? std::move(run) : nullptr;
    if (!asked_)
        return;
    queue_->ask(Slot::Flow, this,
                [this, run = asked_, request = fedRequest(controller_->shownRequest(), *asked_)](
                    engine::Engine& engine, std::stop_token stop) {
                    auto flow = engine.flow(request, std::move(stop));
                    return [this, run, flow = std::move(flow)] {
                        asked_.reset();
                        view_->setFlow(run, flow);
                    };
                });
}

} // namespace headscope::app

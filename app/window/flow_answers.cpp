#include "app/window/flow_answers.h"

#include "app/window/random_twin.h"
#include "widgets/architecture_view.h"

#include <utility>
#include <variant>

namespace headscope::app {

using Slot = RunQueue::Slot;

namespace {

/// The shown output is read, not decoded again, and only what was fed: the last token that was chosen may
/// stand where the model has no position any more.
trace::Request fedRequest(const trace::Request& shown, const trace::Run& run) {
    auto request = readingRequest(shown, run);
    trace::DecodePath& path = request.paths.back();
    const std::size_t fed = run.target.size() - static_cast<std::size_t>(run.request.padding.target);
    if (auto* forced = std::get_if<trace::TargetIds>(&path.forced); forced && forced->ids.size() > fed) {
        forced->ids.resize(fed);
        path.newTokens = 0;
        path.ends = false;
    }
    return request;
}

} // namespace

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

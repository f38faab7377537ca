#include "app/document/what_if.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

WhatIf::WhatIf(DecodeController* controller, QObject* parent) : QObject(parent), controller_(controller) {
    connect(controller, &DecodeController::runChanged, this, &WhatIf::follow);
}

void WhatIf::apply(const List& list) {
    if (list == interventions())
        return;
    if (const auto& run = controller_->run(); run && run->model->recorded) {
        Q_EMIT refused(
            {.what = tr("A trace holds one run, and no model that could run with changes").toStdString(),
             .where = run->model->path,
             .wayOut = tr("open the model that it was recorded from").toStdString()});
        return;
    }
    const auto wanted = controller_->requestWith(list);
    const auto kept = wanted ? kept_.find(*wanted) : nullptr;
    if (kept)
        controller_->show(kept);
    else
        controller_->setInterventions(list);
    Q_EMIT interventionsChanged();
}

void WhatIf::restore(const DecodeController::Restored& restored) {
    controller_->restore(restored, [this](const trace::Request& request) { return kept_.find(request); });
    Q_EMIT interventionsChanged();
}

void WhatIf::divideScores(double temperature) {
    List list = interventions();
    const auto same = std::ranges::find_if(list, [](const trace::Intervention& change) {
        return change.on && std::holds_alternative<trace::SoftmaxTemperature>(change.change);
    });
    if (same == list.end())
        list.push_back({trace::SoftmaxTemperature{temperature}});
    else
        std::get<trace::SoftmaxTemperature>(same->change).temperature *= temperature;
    apply(list);
}

void WhatIf::toggleHead(const trace::HeadAddress& head) {
    List list = interventions();
    const auto off = trace::withoutHead(head);
    if (std::erase(list, off) == 0)
        list.push_back(off);
    apply(list);
}

void WhatIf::follow(const std::shared_ptr<const trace::Run>& run) {
    if (!run) {
        kept_.clear();
        Q_EMIT interventionsChanged();
    } else if (run->complete && controller_->shownRequest() == run->request) {
        kept_.keep(run); // one that shows another of its paths is not what its request would compute
    }
}

} // namespace headscope::app

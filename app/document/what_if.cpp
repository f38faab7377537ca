#include "app/document/what_if.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

WhatIf::WhatIf(DecodeController* controller, QObject* parent) : QObject(parent), controller_(controller) {
    connect(controller, &DecodeController::runChanged, this, &WhatIf::follow);
}

bool WhatIf::isOff(const trace::HeadAddress& head) const {
    const trace::Intervention off{trace::ScaleHead{.head = head, .factor = 0}};
    return std::ranges::find(interventions(), off) != interventions().end();
}

bool WhatIf::isThere(int index) const {
    return index >= 0 && static_cast<std::size_t>(index) < interventions().size();
}

void WhatIf::apply(const List& list) {
    if (const auto& run = controller_->run(); run && run->model->recorded) {
        Q_EMIT interventionsChanged(); // resets the check boxes
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

void WhatIf::add(const trace::Change& change) {
    List list = interventions();
    list.push_back({change});
    apply(list);
}

void WhatIf::replace(int index, const trace::Change& change) {
    if (!isThere(index))
        return;
    List list = interventions();
    auto& place = list[static_cast<std::size_t>(index)];
    if (place.change == change)
        return;
    place = {change};
    apply(list);
}

void WhatIf::setOn(int index, bool on) {
    if (!isThere(index))
        return;
    List list = interventions();
    auto& place = list[static_cast<std::size_t>(index)];
    if (std::exchange(place.on, on) == on)
        return;
    apply(list);
}

void WhatIf::remove(int index) {
    if (!isThere(index))
        return;
    List list = interventions();
    list.erase(list.begin() + index);
    apply(list);
}

void WhatIf::clear() {
    if (!interventions().empty())
        apply({});
}

void WhatIf::divideScores(double temperature) {
    const auto& list = interventions();
    const auto same = std::ranges::find_if(list, [](const trace::Intervention& change) {
        return change.on && std::holds_alternative<trace::SoftmaxTemperature>(change.change);
    });
    if (same == list.end())
        return add(trace::SoftmaxTemperature{temperature});
    const double before = std::get<trace::SoftmaxTemperature>(same->change).temperature;
    replace(static_cast<int>(same - list.begin()), trace::SoftmaxTemperature{before * temperature});
}

void WhatIf::toggleHead(const trace::HeadAddress& head) {
    const trace::Change off = trace::ScaleHead{.head = head, .factor = 0};
    if (!isOff(head))
        return add(off);
    List list = interventions();
    std::erase(list, trace::Intervention{off});
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

#include "app/document/what_if.h"

#include "model/analysis/runs_beside.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

using JobKind = WorkQueue::JobKind;

} // namespace

WhatIf::WhatIf(WorkQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller) {
    connect(queue, &WorkQueue::runDelivered, this, &WhatIf::take);
    // A refused request restores the previous comparison.
    connect(controller, &DecodeController::refused, this, &WhatIf::compare);
    connect(controller, &DecodeController::asked, this, &WhatIf::dropStale);
    connect(controller, &DecodeController::runChanged, this, &WhatIf::follow);
    connect(controller, &DecodeController::ratherThanChanged, this, &WhatIf::compare);
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

void WhatIf::dropStale(const trace::Request& request) {
    queue_->stop(JobKind::Forced);
    if (original_ && original_->request == compared(analysis::originalRequest(request)))
        return;
    queue_->stop(JobKind::Original);
    forced_.reset();
    compareSteps();
    if (std::exchange(original_, nullptr))
        Q_EMIT comparisonChanged();
}

void WhatIf::follow(const std::shared_ptr<const trace::Run>& run) {
    if (run && !run->complete)
        return; // the comparison stays until a new run is complete
    if (run) {
        // A run that shows another of its paths is not what its request would compute.
        if (controller_->shownRequest() == run->request)
            kept_.keep(run);
    } else {
        kept_.clear();
        queue_->stop(JobKind::Original);
        queue_->stop(JobKind::Forced);
        Q_EMIT interventionsChanged();
    }
    compare();
}

void WhatIf::take(JobKind kind, const std::shared_ptr<const trace::Run>& run) {
    if (kind != JobKind::Original && kind != JobKind::Forced)
        return;
    kept_.keep(run);
    compare();
}

void WhatIf::compare() {
    const auto& run = controller_->run();
    const auto original = std::exchange(original_, nullptr);
    const auto forced = std::exchange(forced_, nullptr);
    const bool hasOutput =
        run && (run->model->decoderLayers > 0 || run->model->classes > 0 || !run->maskCandidates.empty());
    if (hasOutput && run->complete && !effective(run->request.interventions).empty())
        original_ =
            runOf(JobKind::Original, compared(analysis::originalRequest(controller_->shownRequest())));
    if (original_ && run->model->classes == 0) // both runs hold all that is compared of classes
        forced_ = runOf(JobKind::Forced, compared(analysis::forcedRequest(run->request, *original_)));
    if (original == original_ && forced == forced_)
        return;
    compareSteps();
    Q_EMIT comparisonChanged();
}

/// On the worker thread, as it compares whole distributions of every step.
void WhatIf::compareSteps() {
    steps_.reset();
    queue_->stop(JobKind::Steps);
    if (!original_ || !forced_)
        return;
    queue_->compute(JobKind::Steps, this, [this, before = original_, after = forced_] {
        const auto steps = std::make_shared<const Steps>(analysis::compareSteps(*before, *after));
        return [this, steps] {
            steps_ = steps;
            Q_EMIT comparisonChanged();
        };
    });
}

trace::Request WhatIf::compared(trace::Request request) const {
    request.ratherThan = controller_->ratherThan();
    return request;
}

std::shared_ptr<const trace::Run> WhatIf::runOf(JobKind kind, const trace::Request& request) {
    auto kept = kept_.find(request);
    if (kept)
        kept_.keep(kept); // moves it to the front of the cache
    else
        queue_->run(kind, request, this, {.refused = [this](const trace::RefusalText& text) {
                        Q_EMIT comparisonRefused();
                        if (text.where != trace::contrastOption) // said where the token was typed
                            Q_EMIT refused(text);
                    }});
    return kept;
}

} // namespace headscope::app

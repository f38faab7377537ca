#include "app/results/errands.h"

#include <algorithm>
#include <utility>

namespace headscope::app {

using JobKind = WorkQueue::JobKind;

Errands::Errands(WorkQueue* queue, DecodeController* controller, QObject* parent)
    : QObject(parent), queue_(queue), controller_(controller) {
    connect(controller, &DecodeController::asked, this, &Errands::giveWay);
    connect(queue, &WorkQueue::busyChanged, this, &Errands::followBusy);
}

void Errands::serve(widgets::View* view) {
    auto free = std::ranges::find(lanes_, nullptr, &Lane::view);
    if (free == lanes_.end()) {
        const auto kind =
            static_cast<JobKind>(static_cast<int>(JobKind::View) + static_cast<int>(lanes_.size()));
        Q_ASSERT(kind <= JobKind::LastView);
        free = lanes_.insert(free, std::make_unique<Lane>(Lane{.kind = kind}));
    }
    Lane* lane = free->get();
    lane->view = view;
    connect(view, &widgets::View::questionsChanged, this, [this, lane] { follow(*lane); });
    connect(view, &QObject::destroyed, this, [this, lane] {
        lane->view = nullptr;
        lane->refused.reset();
        drop(*lane);
    });
    follow(*lane);
}

bool Errands::isLong() const {
    return std::ranges::any_of(lanes_, [](const auto& lane) {
        return lane->errand && (lane->errand->progressed || lane->errand->stopped);
    });
}

void Errands::stop() {
    for (const auto& lane : lanes_) {
        if (!lane->errand)
            continue;
        const auto errand = *lane->errand;
        queue_->stop(lane->kind);
        lane->refused = errand.about;
        end(*lane, [&errand] {
            if (errand.stopped)
                errand.stopped();
            else
                errand.refused({.what = tr("This computation was stopped").toStdString(),
                                .wayOut = tr("decode again, or select another head").toStdString()});
        });
    }
}

void Errands::follow(Lane& lane) {
    if (lane.isTold)
        return;
    auto errand = lane.view->errand();
    if (!errand || lane.refused != errand->about)
        lane.refused.reset();
    else
        errand.reset();
    if (errand && errand->ask && controller_->isDecoding())
        errand.reset(); // what it is about is about to be another run
    const bool isSame = errand ? lane.errand && errand->about == lane.errand->about : !lane.errand;
    if (isSame)
        return;
    drop(lane);
    if (!errand)
        return;
    lane.errand = std::move(errand);
    if (lane.errand->progressed)
        lane.errand->progressed(0);
    begin(lane);
}

void Errands::begin(Lane& lane) {
    const WorkQueue::Heard heard{.refused =
                                     [this, &lane](const trace::RefusalText& text) {
                                         lane.refused = lane.errand->about;
                                         end(lane, [text, say = lane.errand->refused] { say(text); });
                                     },
                                 .progressed = lane.errand->progressed};
    const auto delivery = [this, &lane](widgets::Errand::Deliver deliver) {
        return [this, &lane, deliver = std::move(deliver)] { end(lane, deliver); };
    };
    if (lane.errand->ask)
        queue_->ask(
            lane.kind, lane.view,
            [ask = lane.errand->ask, delivery](engine::Engine& engine, const trace::Task& work) {
                return std::function<void()>(delivery(ask(engine, work)));
            },
            heard);
    else
        queue_->compute(
            lane.kind, lane.view,
            [count = lane.errand->count, delivery](const trace::Task& work) {
                return std::function<void()>(delivery(count(work)));
            },
            heard);
}

void Errands::drop(Lane& lane) {
    if (std::exchange(lane.errand, std::nullopt))
        queue_->stop(lane.kind);
}

/// The view may want the next one at once.
void Errands::end(Lane& lane, const std::function<void()>& tell) {
    lane.errand.reset();
    lane.isTold = true;
    tell();
    lane.isTold = false;
    if (lane.view)
        follow(lane);
}

void Errands::giveWay() {
    for (const auto& lane : lanes_)
        if (lane->errand && lane->errand->ask)
            drop(*lane);
}

/// All work is dropped when a model is opened. What gave way to a run that came to nothing is asked again.
void Errands::followBusy() {
    for (const auto& lane : lanes_)
        if (lane->errand && !queue_->isBusy(lane->kind))
            lane->errand.reset();
    if (std::exchange(wasDecoding_, controller_->isDecoding()) && !wasDecoding_)
        for (const auto& lane : lanes_)
            if (lane->view)
                follow(*lane);
}

} // namespace headscope::app

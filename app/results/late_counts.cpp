#include "app/results/late_counts.h"

#include <utility>

namespace headscope::app {

LateCounts::LateCounts(RunQueue* queue, QObject* parent) : QObject(parent), queue_(queue) {
    connect(queue, &RunQueue::refused, this, [this](RunQueue::Slot slot, const trace::RefusalText& text) {
        if (const auto found = views_.find(slot); found != views_.end())
            found->second->setWhyNotCounted(QString::fromStdString(trace::paragraph(text)));
    });
    connect(queue, &RunQueue::progressed, this, [this](RunQueue::Slot slot, double share) {
        if (const auto found = views_.find(slot); found != views_.end())
            found->second->setShareCounted(share);
    });
}

void LateCounts::ask(QObject* receiver, widgets::CountsLater* view, RunQueue::Slot slot) {
    queue_->stop(slot);
    if (auto work = view->workInSight())
        queue_->compute(slot, receiver, std::move(work));
}

} // namespace headscope::app

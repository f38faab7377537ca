#pragma once

#include <QObject>

#include "app/results/run_queue.h"
#include "widgets/counts_later.h"

#include <map>

namespace headscope::app {

/// Counts what views ask for off the window's thread, the newest question of each.
class LateCounts : public QObject {
    Q_OBJECT

  public:
    /// `queue` is there for as long as this is used.
    explicit LateCounts(RunQueue* queue, QObject* parent = nullptr);

    /// `slot` is of this view alone, which is there as long as this is.
    template <class View>
    void serve(View* view, RunQueue::Slot slot) {
        views_[slot] = view;
        connect(view, &View::workChanged, this, [this, view, slot] { ask(view, view, slot); });
    }

  private:
    void ask(QObject* receiver, widgets::CountsLater* view, RunQueue::Slot slot);

    RunQueue* queue_;
    std::map<RunQueue::Slot, widgets::CountsLater*> views_;
};

} // namespace headscope::app

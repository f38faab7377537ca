#pragma once

#include <QTest>

#include "app/work/work_queue.h"

namespace headscope::tests {

/// Whether anything is computed, or waits to be.
inline bool isBusy(const app::WorkQueue& queue) {
    for (int kind = 0; kind <= static_cast<int>(app::WorkQueue::JobKind::Trial); ++kind)
        if (queue.isBusy(static_cast<app::WorkQueue::JobKind>(kind)))
            return true;
    return false;
}

/// Waits until the queue has done all that it was asked for, and what was asked for because of that: then the
/// last job is delivered, and nothing is left. Returns false if that takes too long.
inline bool becomesIdle(app::WorkQueue& queue) {
    do {
        bool isLast = false;
        queue.ask(app::WorkQueue::JobKind::Trial, &queue,
                  [&](engine::Engine&, const trace::Task&) { return [&] { isLast = true; }; });
        if (!QTest::qWaitFor([&] { return isLast; })) {
            queue.stop(app::WorkQueue::JobKind::Trial);
            return false;
        }
    } while (isBusy(queue));
    return true;
}

} // namespace headscope::tests

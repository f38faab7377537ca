#pragma once

#include <QTest>

#include "app/work/work_queue.h"

namespace headscope::tests {

/// Waits until the queue has done all that it was asked for, and what was asked for because of that: then the
/// last job is delivered, and nothing is left. Returns false if that takes too long.
inline bool becomesIdle(app::WorkQueue& queue) {
    do {
        bool isLast = false;
        queue.ask(app::WorkQueue::JobKind::Background, &queue,
                  [&](engine::Engine&, const trace::Task&) { return [&] { isLast = true; }; });
        if (!QTest::qWaitFor([&] { return isLast; })) {
            queue.stop(app::WorkQueue::JobKind::Background, &queue);
            return false;
        }
    } while (queue.isBusy());
    return true;
}

} // namespace headscope::tests

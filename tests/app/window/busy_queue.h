#pragma once

#include "app/work/work_queue.h"

namespace headscope::tests {

/// Whether anything is computed, or waits to be.
inline bool isBusy(const app::WorkQueue& queue) {
    for (int kind = 0; kind <= static_cast<int>(app::WorkQueue::JobKind::Trial); ++kind)
        if (queue.isBusy(static_cast<app::WorkQueue::JobKind>(kind)))
            return true;
    return false;
}

} // namespace headscope::tests

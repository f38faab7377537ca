#pragma once

#include "app/results/run_queue.h"

namespace headscope::tests {

/// Whether anything is computed, or waits to be.
inline bool isBusy(const app::RunQueue& queue) {
    for (int slot = 0; slot <= static_cast<int>(app::RunQueue::Slot::Trial); ++slot)
        if (queue.isBusy(static_cast<app::RunQueue::Slot>(slot)))
            return true;
    return false;
}

} // namespace headscope::tests

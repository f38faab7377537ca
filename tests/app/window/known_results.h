#pragma once

#include "app/document/document.h"
#include "app/results/results.h"

#include <QMainWindow>

namespace headscope::test {

/// What a window knows of its shown run; null where it knows nothing.
template <class What>
std::shared_ptr<const typename What::Value> known(const QMainWindow& window) {
    const auto& request = window.findChild<app::Document*>()->state().request;
    return request ? window.findChild<app::Results*>()->of(*request, What()) : nullptr;
}

inline bool isMeasuring(const QMainWindow& window) {
    return widgets::isMeasured(window.findChild<app::Document*>()->state(),
                               *window.findChild<app::Results*>());
}

} // namespace headscope::test

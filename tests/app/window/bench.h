#pragma once

#include "app/window/frame/card.h"
#include "app/window/frame/workbench.h"
#include "app/window/main_window.h"

namespace headscope::tests {

inline app::Workbench* bench(const app::MainWindow& window) {
    return window.findChild<app::Workbench*>();
}

inline QString cardTitle(const app::MainWindow& window, const char* view) {
    return window.findChild<app::Card*>(view)->accessibleName();
}

} // namespace headscope::tests

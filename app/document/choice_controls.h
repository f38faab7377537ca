#pragma once

#include "app/document/view_choices.h"

#include <QWidget>

namespace headscope::app {

/// A named control of a view; one that was never built is a mistake.
template <class Control>
Control* control(const QWidget* view, const char* name) {
    auto* found = view->findChild<Control*>(QLatin1String(name));
    Q_ASSERT_X(found, "control", name);
    return found;
}

/// The page of a view, which it has as an enumeration in the order of its words.
template <class View>
void addPage(ViewChoices& choices, const char* name, View* view) {
    choices.addWord(
        name, "page", [view] { return static_cast<int>(view->page()); },
        [view](int page) { view->setPage(static_cast<typename View::Page>(page)); });
}

} // namespace headscope::app

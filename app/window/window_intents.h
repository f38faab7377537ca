#pragma once

#include "widgets/intent.h"

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class Actions;
class CompareController;
class Document;
class Panels;
class Tabs;

/// What intents of a window's views concern.
struct IntendedParts {
    Document* document;
    Tabs* tabs;
    Panels* panels;
    CompareController* compare;
    Actions* actions;
};

/// Does what a person wants in a view of a window.
void carryOut(const widgets::Intent& intent, const widgets::View* view, const IntendedParts& parts);

} // namespace headscope::app

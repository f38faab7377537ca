#pragma once

#include "widgets/intent.h"

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class Actions;
class Document;
class Panels;
class Settings;
class Tabs;

/// What intents of a window's views concern.
struct IntendedParts {
    Document* document;
    Tabs* tabs;
    Panels* panels;
    Actions* actions;
    const Settings* settings;
};

/// Does what a person wants in a view of a window; null: in a menu.
void carryOut(const widgets::Intent& intent, const widgets::View* view, const IntendedParts& parts);

} // namespace headscope::app

#pragma once

#include "widgets/intent.h"

namespace headscope::app {

class Actions;
class Document;
class Tabs;

/// Does what a person wants in a view of a window.
void carryOut(const widgets::Intent& intent, Document* document, Tabs* tabs, const Actions& actions);

} // namespace headscope::app

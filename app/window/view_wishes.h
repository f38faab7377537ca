#pragma once

#include "app/desktop/actions.h"
#include "app/results/result_parts.h"

class QMainWindow;

namespace headscope::app {

class Panels;
class Tabs;

/// Connects requests of views to the parts of the window that fulfil them: a temperature for the whole model,
/// a token to continue with, padding, a class. All objects must outlive the views.
void heedWishes(QMainWindow* window, Document* document, ResultParts* results, Tabs* tabs, Panels* panels,
                const Actions& actions);

} // namespace headscope::app

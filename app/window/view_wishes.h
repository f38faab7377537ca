#pragma once

#include "app/results/results.h"
#include "app/window/actions.h"

class QMainWindow;

namespace headscope::app {

class Panels;
class Tabs;

/// What a person does in a view and means elsewhere is done there from now on: a temperature for the whole
/// model, a token to continue with, padding, a class. All of them outlive the views.
void heedWishes(QMainWindow* window, Document* document, Results* results, Tabs* tabs, Panels* panels,
                const Actions& actions);

} // namespace headscope::app

#pragma once

#include "app/desktop/actions.h"
#include "app/results/results.h"
#include "widgets/controls/view_choices.h"

namespace headscope::widgets {
class SnapshotBar;
}

namespace headscope::app {

class DecodeController;
class ModelHash;
class Panels;
class SentencePanel;
class SidePanels;
class Tabs;
class WindowPlaces;

/// The parts of a window that have choices for sessions, undo and exported commands.
struct ChoosableParts {
    DecodeController* controller;
    Results* results;
    ModelHash* hash; ///< of the model's weights
    Actions* actions;
    Tabs* tabs;
    Panels* panels;
    SidePanels* sides;
    SentencePanel* sentence;
    widgets::SnapshotBar* snapshots;
    WindowPlaces* places;
};

/// The parts must outlive the choices.
void bindChoices(widgets::ViewChoices& choices, const ChoosableParts& parts);

} // namespace headscope::app

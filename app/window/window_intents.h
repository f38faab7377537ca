#pragma once

#include "widgets/intent.h"
#include "widgets/view_context.h"

namespace headscope::widgets {
class View;
}

namespace headscope::app {

class Actions;
class Document;
class FigureExporter;
class Results;
class SentencePanel;
class Settings;
class TypedSentence;
class Workbench;

/// What intents of a window's views concern.
struct IntendedParts {
    Document* document;
    Results* results;
    Workbench* workbench;
    SentencePanel* sentence;
    TypedSentence* typed;
    FigureExporter* exporter;
    Actions* actions;
    Settings* settings;
};

/// Connects the actions that views bring with them. The parts outlive the window.
void connectActions(const IntendedParts& parts);
/// Enables and names those of a view in the workbench, as it says.
void followActions(widgets::View* view, const IntendedParts& parts);
/// Withholds those that have no meaning for the open model.
void withholdActions(Actions& actions, const widgets::DocumentState& document);

/// Does what a person wants in a view of a window.
void carryOut(const widgets::Intent& intent, widgets::View* view, const IntendedParts& parts);

} // namespace headscope::app

#pragma once

#include <QString>

#include "app/sessions/session.h"

namespace headscope::app {

/// Returns a short name of the user action between two states, for the menu entry "Undo": "Sentence",
/// "Disable cross.2.5", "Zoom". Of several differences, names the one that caused the others. Empty if the
/// states are equal.
QString changeName(const SessionState& before, const SessionState& after);

/// Returns the title of a choice in a view, such as "Quantity".
QString choiceName(const std::string& view, const std::string& name);

} // namespace headscope::app

#pragma once

#include <QString>

#include "app/sessions/session.h"

namespace headscope::app {

/// Returns a short name of the user action between two states, for the menu entry "Undo": "Sentence",
/// "Disable cross.2.5", "Head". Of several differences, names the one that caused the others. Empty if
/// none can be undone.
QString changeName(const SessionState& before, const SessionState& after);

} // namespace headscope::app

#pragma once

#include <QString>

#include "app/sessions/session.h"

namespace headscope::app {

/// What a person did between two states, short, for the menu behind "Undo": "Sentence", "Disable cross.2.5",
/// "Zoom". Of several things the one that the others follow from. Empty where nothing differs.
QString changeName(const SessionState& before, const SessionState& after);

/// Of one choice in a view, such as "Quantity".
QString choiceName(const std::string& view, const std::string& name);

} // namespace headscope::app

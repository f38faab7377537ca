#pragma once

#include "widgets/choice.h"

#include <string>
#include <vector>

namespace headscope::app {

/// Returns a choice as text: strings unchanged, other values as JSON, as in session files.
std::string choiceText(const widgets::ChoiceValue& value);
/// The inverse; `where` names the choice in errors. Throws trace::Refusal.
widgets::ChoiceValue parseChoice(const widgets::ChoiceSpec& choice, const std::string& text,
                                 const std::string& where);

} // namespace headscope::app

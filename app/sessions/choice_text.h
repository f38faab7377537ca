#pragma once

#include "widgets/choice.h"

#include <string>
#include <vector>

namespace headscope::app {

/// A choice in one word: a text as it is, anything else as in a session's file.
std::string choiceText(const widgets::ChoiceValue& value);
/// The reverse; `where` names it. Throws trace::Refusal.
widgets::ChoiceValue parseChoice(const widgets::ChoiceSpec& choice, const std::string& text,
                                 const std::string& where);

} // namespace headscope::app

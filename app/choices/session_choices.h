#pragma once

#include "widgets/choice.h"

#include <string>
#include <vector>

namespace headscope::app {

/// All that can be chosen: what several views follow, what a view has alone, what is the window's.
const std::vector<widgets::ChoiceSpec>& choiceSpecs();
/// Null for one that nobody can choose.
const widgets::ChoiceSpec* choiceSpec(const std::string& view, const std::string& name);
/// As a picture's options call it; null for a choice that no picture of the view shows.
const widgets::ChoiceSpec* pictureChoice(const std::string& view, const std::string& choice);

/// A choice in one word: a text as it is, anything else as in a session's file.
std::string choiceText(const widgets::ChoiceValue& value);
/// The reverse; `where` names it. Throws trace::Refusal.
widgets::ChoiceValue parseChoice(const widgets::ChoiceSpec& choice, const std::string& text,
                                 const std::string& where);

} // namespace headscope::app

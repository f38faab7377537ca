#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace headscope::app {

using ChoiceValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>>;
/// What a person chose in the views, by the view and the choice's name.
using Choices = std::map<std::string, std::map<std::string, ChoiceValue>>;

/// One thing that can be chosen in a view, in the words of `render` where that can choose it too. A session
/// is read by these.
struct ChoiceRule {
    enum class Kind { Flag, Whole, Number, Text, Wholes, Numbers, Texts };

    std::string view;
    std::string name;
    Kind kind = Kind::Flag;
    std::vector<std::string> words = {}; ///< of a text; empty: any
    double low = 0;                      ///< of numbers
    double high = 1'000'000;
    bool moves = false; ///< of its own, too, when something else comes to be shown
    bool own = false;   ///< a person's, whatever is looked at: undone, but in no file
};
const std::vector<ChoiceRule>& choiceRules();

/// Null for one that nobody can choose.
const ChoiceRule* choiceRule(const std::string& view, const std::string& name);

/// A choice in one word: a text as it is, anything else as in a session's file.
std::string choiceText(const ChoiceValue& value);
/// The reverse; `where` names it. Throws trace::Refusal.
ChoiceValue parseChoice(const ChoiceRule& rule, const std::string& text, const std::string& where);

} // namespace headscope::app

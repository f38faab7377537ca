#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// Replaces Qt's macro in code that is compiled without Qt.
#ifndef QT_TRANSLATE_NOOP
#define QT_TRANSLATE_NOOP(context, words) words
#endif

// Plain C++, so that the command line can use choices without Qt.
namespace headscope::widgets {

using ChoiceValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>>;
/// The user's choices in all views, by view and name.
using Choices = std::map<std::string, std::map<std::string, ChoiceValue>>;

/// Specification of a choice in a view; values are named as in `render` if that has the option. Session files
/// are read with these specifications.
struct ChoiceSpec {
    enum class Kind { Flag, Whole, Number, Text, Wholes, Numbers, Texts };

    std::string view; ///< key of the view in session files
    std::string name;
    Kind kind = Kind::Flag;
    std::vector<std::string> words = {}; ///< allowed values of a text; empty: any
    double low = 0;                      ///< range of numbers
    double high = 1'000'000;
    bool followsSelection = false; ///< the program changes it too, when the selection changes
    bool isModel = false;          ///< a text that names a model: its path, or a bundled one
    bool isOnAtFirst = false;      ///< of a flag
    /// Help of its own option of `render`, which has its name; empty: it has none, and is given by --choose.
    const char* help = "";
    /// What the option takes, if it is a list of numbers: such as "H,H".
    const char* form = "";
    const char* word = ""; ///< what a list may be instead: such as "all"
};

/// The value of a choice before anybody chooses: off, the first word, nothing.
ChoiceValue usualValue(const ChoiceSpec& choice);

/// Choices that several views follow: the quantity of attention maps and how they are drawn.
const std::vector<ChoiceSpec>& sharedChoices();
/// Two of them: the quantity, and the scale of the colours.
const ChoiceSpec& quantityChoice();
const ChoiceSpec& scaleChoice();
/// Names of quantities in the order of allQuantities, and of colour scales in the order of ColourMapping.
const std::vector<const char*>& quantityNames();
const std::vector<const char*>& scaleNames();

/// Returns `names`, followed by the names of all head statistics.
std::vector<std::string> withStatistics(std::vector<std::string> names);

} // namespace headscope::widgets

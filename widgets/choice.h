#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// Qt's own, where that is not known.
#ifndef QT_TRANSLATE_NOOP
#define QT_TRANSLATE_NOOP(context, words) words
#endif

// Plain C++, so that the command line knows choices without Qt.
namespace headscope::widgets {

using ChoiceValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>>;
/// What a person chose in the views, by the view and the choice's name.
using Choices = std::map<std::string, std::map<std::string, ChoiceValue>>;

/// One thing that can be chosen in a view, in the words of `render` where that can choose it too. A session
/// is read by these.
struct ChoiceSpec {
    enum class Kind { Flag, Whole, Number, Text, Wholes, Numbers, Texts };

    std::string view; ///< that a session's file keeps it under
    std::string name;
    /// As undo names a change of it, marked for translation; empty: as its view is called.
    const char* title = "";
    Kind kind = Kind::Flag;
    std::vector<std::string> words = {}; ///< of a text; empty: any
    double low = 0;                      ///< of numbers
    double high = 1'000'000;
    bool followsSelection = false; ///< of its own, too, when something else comes to be shown
    bool isPreference = false;     ///< a person's, whatever is looked at: undone, but in no file
};

/// Those that several views follow: what is drawn of attention, and how.
const std::vector<ChoiceSpec>& sharedChoices();
/// What can be drawn of attention, in the order of allQuantities, and how colours are scaled, in that of
/// ColourMapping.
const std::vector<const char*>& quantityNames();
const std::vector<const char*>& scaleNames();

/// `names`, and behind them what statistics of heads are called.
std::vector<std::string> withStatistics(std::vector<std::string> names);

} // namespace headscope::widgets

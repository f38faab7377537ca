#pragma once

#include "model/trace/attention_site.h"
#include "widgets/choice.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::widgets {

inline constexpr double largestFontSize = 200; ///< points

/// The choice of pictures that adds paths to the request, as trace::otherBranches() writes them.
inline constexpr const char* branchesChoice = "branches";

/// What a picture shows and how it is written, in the terms of `render` on the command line.
struct PictureOptions {
    std::string view = "heatmap";           ///< key of a ViewSpec
    std::optional<trace::HeadAddress> head; ///< empty: the best-aligning head
    int step = 0;
    std::optional<std::pair<int, int>> cell; ///< pinned query and key
    std::optional<int> query;                ///< pinned query without a key
    std::optional<int> key;                  ///< pinned key without a query
    std::vector<std::string> beside;         ///< other sentences of a batch
    /// Maximum number of tokens decoded for these sentences; empty: as for the shown one.
    std::optional<int> besideLength;
    /// Pinned heads, whose maps are shown side by side.
    std::vector<trace::HeadAddress> pinned;
    /// What is chosen of ViewSpec::drawn, by name; other choices have their defaults.
    std::map<std::string, ChoiceValue> choices;
    bool spaceMarks = true;

    bool animate = false; ///< draws a frame for each step of the decoding, as it was at that step
    int frameTime = 700;  ///< in milliseconds

    std::optional<int> width; ///< in units of 1/96 inch; empty: suggested by the view
    std::optional<int> height;
    int dpi = 192;
    bool dark = false;
    bool enlarged = false;            ///< the font size is the one that fills the page
    bool caption = false;             ///< adds a source line below the picture
    std::vector<std::string> without; ///< pictureParts() that are not drawn, in their order
    std::string font;                 ///< font family; empty: Qt's default
    double fontSize = 0;              ///< in points; 0: Qt's default
    friend bool operator==(const PictureOptions&, const PictureOptions&) = default;
};

/// True only if the options contain this choice explicitly.
bool isChosen(const PictureOptions& options, const std::string& choice, const ChoiceValue& value);

/// Returns the options with another view and, if it has a name, page.
PictureOptions ofView(PictureOptions options, const char* view, const std::string& page = {});
/// Returns options without a selection, for figures that do not depend on it.
PictureOptions ofTheWhole(const char* view);

/// Return the value of a choice; empty if it is not contained.
std::optional<ChoiceValue> chosenValue(const PictureOptions& options, const std::string& choice);
std::optional<ChoiceValue> chosenValue(const Choices& choices, const std::string& view,
                                       const std::string& choice);
bool isChosen(const Choices& choices, const char* view, const char* choice, const ChoiceValue& value);
/// Keeps the baseline of a card, and the seed of the twin if that is it; other pictures show neither.
void sayBaseline(PictureOptions& picture, const Choices& chosen, bool isDrawn);
/// Adds the seed of the random twin.
void sayTwin(PictureOptions& picture, const Choices& chosen);
/// Adds how heads are removed to measure their importance.
void sayAblation(PictureOptions& picture, const Choices& chosen);

} // namespace headscope::widgets

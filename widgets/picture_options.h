#pragma once

#include "model/trace/attention_site.h"
#include "widgets/choice.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// What a picture shows and how it is written, in the words of the command line's `render`.
struct PictureOptions {
    std::string view = "heatmap";           ///< a ViewSpec's key
    std::optional<trace::HeadAddress> head; ///< nothing: the best-aligning one
    int step = 0;
    std::optional<std::pair<int, int>> cell; ///< query and key that are pinned
    std::optional<int> query;                ///< pinned alone
    std::optional<int> key;                  ///< the same
    std::string quantity = "weights";
    std::string scale = "linear";
    bool perRow = false;
    bool withoutSpecial = false;
    bool words = false;
    bool transposed = false;
    bool numbers = false;
    bool received = false;
    bool losses = false;
    std::string lines;               ///< heads of the layer, "0,2", or "all"; empty: the one
    std::string page;                ///< of a view that has several; empty: the first
    std::string side = "source";     ///< of positions
    std::vector<int> dimensions;     ///< of positions; empty: the first ones that are shown
    std::optional<int> count;        ///< positions shown
    std::optional<int> offset;       ///< of the page of shifts
    std::vector<std::string> beside; ///< other sentences of a batch
    /// Tokens at most of what is decoded beside the shown sentence; nothing: as of that.
    std::optional<int> besideLength;
    /// Heads whose maps stand beside each other.
    std::vector<trace::HeadAddress> pinned;
    /// What else is chosen in the view, by its name in a session's file; what is not said is as a view opens.
    std::map<std::string, ChoiceValue> choices;
    bool spaceMarks = true;

    bool animate = false; ///< the decoding: a frame for each step, with what there was at it
    int frameTime = 700;  ///< milliseconds

    std::optional<int> width; ///< in units of 1/96 inch; nothing: what suits the view
    std::optional<int> height;
    int dpi = 192;
    bool dark = false;
    bool enlarged = false;            ///< to the size: letters grow with it, as a poster needs
    bool caption = false;             ///< where it comes from, below the picture
    std::vector<std::string> without; ///< which of pictureParts() are not drawn, in their order
    std::string font;                 ///< a family; empty: Qt's own
    double fontSize = 0;              ///< points; 0: Qt's own
    friend bool operator==(const PictureOptions&, const PictureOptions&) = default;
};

/// True where the option says so itself.
bool isChosen(const PictureOptions& options, const std::string& choice, const ChoiceValue& value);

/// The same picture of another view, and of its page.
PictureOptions ofView(PictureOptions options, const char* view, const std::string& page = {});
/// What a figure has that looks nowhere: `options` say where a person looks.
PictureOptions ofTheWhole(const char* view);

/// What is chosen in a view; nothing where it has no such choice.
std::optional<ChoiceValue> chosenValue(const Choices& choices, const std::string& view,
                                       const std::string& choice);
bool isChosen(const Choices& choices, const char* view, const char* choice, const ChoiceValue& value);
/// Of a random twin, which one.
void sayTwin(PictureOptions& picture, const Choices& chosen);

} // namespace headscope::widgets

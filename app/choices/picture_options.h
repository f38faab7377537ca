#pragma once

#include "app/choices/session_choices.h"
#include "model/trace/attention_site.h"
#include "model/trace/run.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::app {

/// The shorter side of any picture, as the views themselves have it (widgets::leastSide).
inline constexpr int leastPictureSide = 24;

/// What a picture shows and how it is written, in the words of the command line's `render`.
struct PictureOptions {
    std::string view = "heatmap";
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

/// Every view, the pages that it has, the first one shown where none is named, and what can be chosen in it
/// besides, by the rules of `rules`.
struct PictureView {
    const char* name;
    std::vector<const char*> pages;
    std::vector<const char*> choices;
    const char* rules = name;
};
const std::vector<PictureView>& pictureViews();
/// Null for a choice that no picture of the view shows.
const ChoiceRule* pictureChoice(const std::string& view, const std::string& choice);
/// What can be drawn of attention, and how colours are scaled.
const std::vector<const char*>& pictureQuantities();
const std::vector<const char*>& pictureScales();

/// What a picture can be drawn without: the view's own words below it, notes on how to read it, and marks of
/// the current step and of what is pinned or selected.
const std::vector<const char*>& pictureParts();

/// True where the option says so itself.
bool isChosen(const PictureOptions& options, const std::string& choice, const ChoiceValue& value);

/// What is shown is held against what is decoded besides, which a forced target does not limit.
bool decodesOthers(const PictureOptions& options);

/// A branch of the decoding in one word: its ids, "2,8,9", with "+" behind them where the last was fed, too.
std::string branchText(const trace::Run& run, trace::DecodeTree::NodeId leaf);
/// The reverse; nothing where the text is none.
std::optional<trace::DecodePath> branchPath(const std::string& text);

/// How long the last frame is shown, before the decoding begins again: three times as long as the others, as
/// far as the format can say it.
int lastFrameTime(int milliseconds);

/// A file's name among several: "0001.png".
std::string numberedPicture(std::size_t number, const std::string& ending);

/// What is not as it would be without any option, as (option, value); an empty value: a flag.
std::vector<std::pair<std::string, std::string>> toOptions(const PictureOptions& options);

} // namespace headscope::app

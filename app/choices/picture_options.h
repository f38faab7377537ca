#pragma once

#include "model/trace/run.h"
#include "widgets/picture_options.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::app {

/// The shorter side of any picture, as the views themselves have it (widgets::leastSide).
inline constexpr int leastPictureSide = 24;

/// What a picture can be drawn without: the view's own words below it, notes on how to read it, and marks of
/// the current step and of what is pinned or selected.
const std::vector<const char*>& pictureParts();

/// Shows other sentences that are decoded, too: a forced target does not limit how long they become.
bool decodesOthers(const widgets::PictureOptions& options);

/// A branch of the decoding in one word: its ids, "2,8,9", with "+" behind them where the last was fed, too.
std::string branchText(const trace::Run& run, trace::DecodeTree::NodeId leaf);
/// The reverse; nothing where the text is none.
std::optional<trace::DecodePath> branchPath(const std::string& text);

/// How long the last frame is shown, before the decoding begins again: three times as long as the others, as
/// far as the format can say it.
int lastFrameTime(int milliseconds);

/// A file's name among several: "0001.png".
std::string numberedPicture(std::size_t number, const std::string& ending);

/// The options that differ from their defaults, as (option, value); the value of a flag is empty.
std::vector<std::pair<std::string, std::string>> toOptions(const widgets::PictureOptions& options);

} // namespace headscope::app

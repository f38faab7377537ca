#pragma once

#include "model/trace/run.h"
#include "widgets/picture_options.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::app {

/// Minimum of the shorter side of any picture, equal to widgets::leastSide.
inline constexpr int leastPictureSide = 24;

/// Names of the parts that a picture can omit: the caption below it, notes on how to read it, and marks of
/// the current step and of the pinned or selected cell.
const std::vector<const char*>& pictureParts();

/// Time of the last frame, before the animation restarts: three times that of the others, limited by the
/// format.
int lastFrameTime(int milliseconds);

/// Returns a file name such as "0001.png".
std::string numberedPicture(std::size_t number, const std::string& ending);

/// The views that use an option of `render`; nothing if all of them do. Options for the selection, such as
/// `--step`, and for space marks count as used wherever a copied command contains them, even if the view does
/// not show their effect.
std::optional<std::vector<const char*>> viewsThatUse(const std::string& option);

/// The option, and its value, that makes a choice which the options contain; the value of a flag is empty.
std::pair<std::string, std::string> optionOf(const widgets::PictureOptions& options,
                                             const std::string& choice);

/// Returns the options that differ from their defaults, as (option, value); the value of a flag is empty.
std::vector<std::pair<std::string, std::string>> toOptions(const widgets::PictureOptions& options);

} // namespace headscope::app

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headscope::files {

struct AnimationFrame {
    std::string_view png; ///< a whole file; all of one size and kind of pixels
    int milliseconds = 0; ///< how long it is shown, 65,535 at most
};

/// A PNG that shows its frames one after the other, again and again (W3C Portable Network Graphics, third
/// edition, section 11.3.6). Where that is not known, it is the last frame, whose text chunks it has. Throws
/// std::invalid_argument for frames that are no PNG files or unlike each other.
std::string animatedPng(const std::vector<AnimationFrame>& frames);

} // namespace headscope::files

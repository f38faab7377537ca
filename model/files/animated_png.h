#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace headscope::files {

struct AnimationFrame {
    std::string_view png; ///< a whole file; all of one size and kind of pixels
    int milliseconds = 0; ///< how long it is shown, 65,535 at most
};

/// A PNG that shows its frames one after the other, again and again (W3C Portable Network Graphics, third
/// edition, section 11.3.6), written frame by frame: no more than one is in memory. Throws
/// std::invalid_argument for frames that are no PNG files or unlike each other, and for another number of
/// them.
class AnimatedPng {
  public:
    using Write = std::function<void(std::string_view)>;
    /// `still` is what is seen where animations are not known; the file has its text chunks. `write` takes
    /// the file's bytes in order.
    AnimatedPng(std::string_view still, std::size_t frames, Write write);

    void add(const AnimationFrame& frame);
    /// After the last frame.
    void finish();

  private:
    void writeChunk(std::string_view type, const std::string& data);

    Write write_;
    std::string header_;       ///< of every frame
    std::size_t left_ = 0;     ///< frames that are still to come
    std::uint32_t number_ = 0; ///< of the next chunk of the animation
};

} // namespace headscope::files

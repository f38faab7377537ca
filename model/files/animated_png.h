#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace headscope::files {

struct AnimationFrame {
    std::string_view png; ///< a complete PNG file; all frames have one size and pixel format
    int milliseconds = 0; ///< display time, at most 65,535
};

/// Writes an animated PNG that loops for ever (W3C Portable Network Graphics, third edition, section
/// 11.3.6). Frames are written one by one, so that only one is in memory at a time. Throws
/// std::invalid_argument if a frame is not a PNG file or differs in size or pixel format, or if the number of
/// frames is not the announced one.
class AnimatedPng {
  public:
    using Write = std::function<void(std::string_view)>;
    /// `still` is the picture shown by programs that do not support animation; its text chunks are kept.
    /// `write` receives the file's bytes in order.
    AnimatedPng(std::string_view still, std::size_t frames, Write write);

    void add(const AnimationFrame& frame);
    /// Call after the last frame.
    void finish();

  private:
    void writeChunk(std::string_view type, const std::string& data);

    Write write_;
    std::string header_;       ///< data of the IHDR chunk that all frames share
    std::size_t left_ = 0;     ///< number of frames still expected
    std::uint32_t number_ = 0; ///< sequence number of the next animation chunk
};

} // namespace headscope::files

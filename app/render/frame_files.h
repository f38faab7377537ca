#pragma once

#include "model/files/animated_png.h"
#include "model/files/atomic_file.h"
#include "model/trace/refusal.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace headscope::app {

/// Destination of the frames of an animation. Writes all of them or none, unless a disk fails while numbered
/// frames are moved into place. All functions throw trace::Refusal.
class FrameFiles {
  public:
    virtual ~FrameFiles() = default;
    virtual void add(std::string_view png) = 0;
    /// Called after the last frame.
    virtual void commit() = 0;
};

/// An animated PNG. `still` is the last frame, shown by programs that cannot animate; it is shown three times
/// as long as the others.
class Animation : public FrameFiles {
  public:
    Animation(const std::filesystem::path& path, std::string_view still, std::size_t frames,
              int milliseconds);
    void add(std::string_view png) override;
    void commit() override;

  private:
    files::AtomicFile file_;
    files::AnimatedPng animation_;
    std::size_t left_;
    int milliseconds_;
};

/// Numbered pictures in a folder, written to a temporary subfolder until the last one is complete.
class NumberedFrames : public FrameFiles {
  public:
    explicit NumberedFrames(const std::filesystem::path& folder);
    NumberedFrames(const NumberedFrames&) = delete;
    NumberedFrames& operator=(const NumberedFrames&) = delete;
    ~NumberedFrames() override;
    void add(std::string_view png) override;
    void commit() override;

  private:
    /// Replaces the temporary subfolder in messages by the requested folder.
    trace::Refusal asAsked(const trace::Refusal& refusal) const;

    std::filesystem::path folder_;
    std::filesystem::path unfinished_;
    std::size_t count_ = 0;
};

} // namespace headscope::app

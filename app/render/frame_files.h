#pragma once

#include "model/files/animated_png.h"
#include "model/files/atomic_file.h"
#include "model/trace/refusal.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace headscope::app {

/// Where the frames of a decoding go: all of them, or none, but for a disk that fails while numbered ones
/// take their places. Everything throws trace::Refusal.
class FrameFiles {
  public:
    virtual ~FrameFiles() = default;
    virtual void add(std::string_view png) = 0;
    /// After the last one.
    virtual void commit() = 0;
};

/// One animated PNG. `still` is the last frame; that one is shown three times as long as the others, before
/// it begins again.
class Film : public FrameFiles {
  public:
    Film(const std::filesystem::path& path, std::string_view still, std::size_t frames, int milliseconds);
    void add(std::string_view png) override;
    void commit() override;

  private:
    files::AtomicFile file_;
    files::AnimatedPng animation_;
    std::size_t left_;
    int milliseconds_;
};

/// A numbered picture for each in a folder. Until the last one is there they lie in a folder of their own
/// within it.
class NumberedFrames : public FrameFiles {
  public:
    explicit NumberedFrames(const std::filesystem::path& folder);
    NumberedFrames(const NumberedFrames&) = delete;
    NumberedFrames& operator=(const NumberedFrames&) = delete;
    ~NumberedFrames() override;
    void add(std::string_view png) override;
    void commit() override;

  private:
    /// In the names that a person asked for, who knows nothing of the folder within.
    trace::Refusal asAsked(const trace::Refusal& refusal) const;

    std::filesystem::path folder_;
    std::filesystem::path unfinished_;
    std::size_t count_ = 0;
};

} // namespace headscope::app

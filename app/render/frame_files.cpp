#include "app/render/frame_files.h"

#include "app/choices/picture_options.h"
#include "model/files/saving_refusal.h"

#include <string>
#include <system_error>
#include <utility>

namespace headscope::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* couldNotSave = "The frames cannot be saved";

void refuseIf(const std::error_code& failure, const fs::path& where) {
    if (failure)
        throw files::savingRefusal(couldNotSave, where, failure.value());
}

} // namespace

Animation::Animation(const fs::path& path, std::string_view still, std::size_t frames, int milliseconds)
    : file_(path), animation_(still, frames, [this](std::string_view bytes) { file_.write(bytes); }),
      left_(frames), milliseconds_(milliseconds) {}

void Animation::add(std::string_view png) {
    const bool isLast = --left_ == 0;
    animation_.add({.png = png, .milliseconds = isLast ? lastFrameTime(milliseconds_) : milliseconds_});
}

void Animation::commit() {
    animation_.finish();
    file_.commit();
}

/// Removes files left by a killed program.
NumberedFrames::NumberedFrames(const fs::path& folder)
    : folder_(folder), unfinished_(folder / files::unfinishedName("frames")) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    refuseIf(failure, folder);
    files::removeUnfinished(folder);
    fs::create_directory(unfinished_, failure);
    if (failure)
        throw asAsked(files::savingRefusal(couldNotSave, unfinished_, failure.value()));
}

NumberedFrames::~NumberedFrames() {
    std::error_code ignored;
    fs::remove_all(unfinished_, ignored);
}

void NumberedFrames::add(std::string_view png) {
    try {
        files::saveAtomically(unfinished_ / numberedPicture(++count_, "png"), png);
    } catch (const trace::Refusal& refusal) {
        throw asAsked(refusal);
    }
}

trace::Refusal NumberedFrames::asAsked(const trace::Refusal& refusal) const {
    auto text = refusal.text();
    const auto within = unfinished_.string();
    for (auto* part : {&text.where, &text.expected})
        if (const auto at = part->find(within); at != std::string::npos)
            part->replace(at, within.size(), folder_.string());
    return trace::Refusal(std::move(text));
}

/// Checks all targets before the first frame is moved.
void NumberedFrames::commit() {
    for (std::size_t frame = 1; frame <= count_; ++frame)
        files::refuseUnlessReplaceable(folder_ / numberedPicture(frame, "png"));
    for (std::size_t frame = 1; frame <= count_; ++frame) {
        const auto name = numberedPicture(frame, "png");
        std::error_code failure;
        fs::rename(unfinished_ / name, folder_ / name, failure);
        refuseIf(failure, folder_ / name);
    }
}

} // namespace headscope::app

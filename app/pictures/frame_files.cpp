#include "app/pictures/frame_files.h"

#include "app/plain/picture_options.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <string>
#include <system_error>

#include <unistd.h>

namespace headscope::app {

namespace fs = std::filesystem;

namespace {

constexpr int timesAtTheEnd = 3;
constexpr int longestTime = 65'535; // that the format can say

void refuseIf(const std::error_code& failure, const fs::path& where) {
    if (failure)
        throw trace::Refusal({.what = "The frames cannot be saved",
                              .where = where.string(),
                              .found = failure.message(),
                              .wayOut = "choose another folder"});
}

} // namespace

Film::Film(const fs::path& path, std::string_view still, std::size_t frames, int milliseconds)
    : file_(path), animation_(still, frames, [this](std::string_view bytes) { file_.write(bytes); }),
      left_(frames), milliseconds_(milliseconds) {}

void Film::add(std::string_view png) {
    const bool isLast = --left_ == 0;
    animation_.add(
        {.png = png,
         .milliseconds = isLast ? std::min(timesAtTheEnd * milliseconds_, longestTime) : milliseconds_});
}

void Film::commit() {
    animation_.finish();
    file_.commit();
}

NumberedFrames::NumberedFrames(const fs::path& folder)
    : folder_(folder), unfinished_(folder / (".headscope-frames-" + std::to_string(::getpid()))) {
    std::error_code failure;
    fs::create_directory(unfinished_, failure);
    refuseIf(failure, unfinished_);
}

NumberedFrames::~NumberedFrames() {
    std::error_code ignored; // what cannot be removed is left
    fs::remove_all(unfinished_, ignored);
}

void NumberedFrames::add(std::string_view png) {
    files::saveAtomically(unfinished_ / numberedPicture(++count_, "png"), png);
}

void NumberedFrames::commit() {
    for (std::size_t frame = 1; frame <= count_; ++frame) {
        const auto name = numberedPicture(frame, "png");
        std::error_code failure;
        fs::rename(unfinished_ / name, folder_ / name, failure);
        refuseIf(failure, folder_ / name);
    }
}

} // namespace headscope::app

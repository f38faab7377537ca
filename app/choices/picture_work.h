#pragma once

#include "app/choices/picture_options.h"
#include "model/engine/engine.h"
#include "model/trace/refusal.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// One picture, or the numbers behind it where the file's ending asks for these: what is run for it, once the
/// model is known, and the file that is written.
struct PictureJob {
    std::function<trace::Request(const trace::ModelSummary&)> request;
    /// How many tokens at most are decoded where nothing is forced: of what stands beside a forced target.
    std::function<int(const trace::ModelSummary&)> newTokens;
    std::filesystem::path out;
    std::string line = {}; ///< of a list: which one, for what is said of it; empty: there is but this job
    std::vector<std::filesystem::path> alsoOut = {}; ///< the same picture, each as its ending says
    bool isFolder = false;                           ///< of numbered frames, made where it is not there
};

/// Pictures of one model, one after the other.
struct PictureWork {
    engine::EngineOptions engine;
    engine::ModelSource model;
    std::string modelName; ///< as a command names it; of the curves of a training, what was typed for its log
    widgets::PictureOptions options;
    /// Asked for once, when the options are known to be possible: no file is opened before. The list stays.
    std::function<const std::vector<PictureJob>&()> jobs;
    /// Called for an option that cannot be followed here, and what was expected and found; does not return.
    std::function<void(const std::string& option, const std::string& why)> impossible;
    /// Called after each, with the reason where it was refused; the others of a list go on. What is of no
    /// list throws.
    std::function<void(const trace::RefusalText* refusal)> done;
    /// Called after each frame of a decoding that is animated; may be empty.
    std::function<void(std::size_t drawn, std::size_t frames)> drawn = {};
    /// Called for each file as it is there, of which a job may have several, or the folder of a film's
    /// frames; may be empty.
    std::function<void(const std::filesystem::path& file)> written = {};
    /// Called with what is wrong with a run that is drawn all the same; may be empty.
    std::function<void(const std::string& words)> warned = {};
    /// Called for each run whose numbers are not all finite; may be empty.
    std::function<void()> notFinite = {};
    /// Called once of each picture or film whose letters are small; may be empty.
    std::function<void(const std::string& words)> hardToRead = {};
};

/// Exported by the module of pictures under the name `headscopeDrawPictures`: what both programs draw and
/// write with, without a display. Throws trace::Refusal, or trace::Cancelled. Called once a process.
using DrawPictures = void (*)(const PictureWork& work, std::stop_token stop);
inline constexpr const char* drawPicturesSymbol = "headscopeDrawPictures";

/// Loads that module and calls it. Throws trace::Refusal where the program was built without a window.
void drawPictures(const PictureWork& work, std::stop_token stop);

} // namespace headscope::app

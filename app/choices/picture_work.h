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

/// One picture, or the data behind it if the file extension is that of a data format: the request to run and
/// the files to write.
struct PictureJob {
    std::function<trace::Request(const trace::ModelSummary&)> request;
    /// Maximum number of decoded tokens where nothing is forced, such as for sentences beside a forced
    /// target.
    std::function<int(const trace::ModelSummary&)> newTokens;
    std::filesystem::path out;
    std::string line = {}; ///< line of a list of jobs, for messages; empty: the only job
    std::vector<std::filesystem::path> alsoOut = {}; ///< further files; the extension decides the format
    bool isFolder = false; ///< `out` is a folder for numbered frames, created if necessary
};

/// Pictures of one model, drawn one after the other.
struct PictureWork {
    engine::EngineOptions engine;
    engine::ModelSource model;
    std::string modelName; ///< the model as named in a command; for training curves, their log as typed
    widgets::PictureOptions options;
    /// Called once, after the options are checked, so that no file is opened before. The list must stay
    /// valid.
    std::function<const std::vector<PictureJob>&()> jobs;
    /// Called with an option that cannot be satisfied and why, with what was expected and found; does not
    /// return.
    std::function<void(const std::string& option, const std::string& why)> impossible;
    /// Called after each job, with the reason if it was refused. The other jobs of a list continue; a job
    /// without a list throws instead.
    std::function<void(const trace::RefusalText* refusal)> done;
    /// Called after each frame of an animation; may be empty.
    std::function<void(std::size_t drawn, std::size_t frames)> drawn = {};
    /// Called for each written file, of which a job may have several, or for the folder of numbered frames;
    /// may be empty.
    std::function<void(const std::filesystem::path& file)> written = {};
    /// Called with a problem of a run that is drawn all the same; may be empty.
    std::function<void(const std::string& words)> warned = {};
    /// Called for each run with numbers that are not finite; may be empty.
    std::function<void()> notFinite = {};
    /// Called once for each picture or animation whose text is too small to read well; may be empty.
    std::function<void(const std::string& words)> hardToRead = {};
};

/// Type of the function that the module of pictures exports as `headscopeDrawPictures`: it draws and writes
/// pictures without a display. Throws trace::Refusal or trace::Cancelled. Called at most once per process.
using DrawPictures = void (*)(const PictureWork& work, std::stop_token stop);
inline constexpr const char* drawPicturesSymbol = "headscopeDrawPictures";

/// Loads the module and calls its function. Also throws trace::Refusal if the program was built without the
/// window.
void drawPictures(const PictureWork& work, std::stop_token stop);

} // namespace headscope::app

#include "app/models/training_log.h"

#include "app/models/resource_folders.h"
#include "model/trace/refusal.h"

#include <string_view>
#include <system_error>

namespace headscope::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* logName = "log.csv";
// Defaults; a configuration can change them.
constexpr std::string_view stateEnding = ".training", seriesEnding = ".snapshots";

} // namespace

fs::path trainingLog(const std::string& pathOrName) {
    std::error_code ignored; // a path that cannot be examined counts as missing
    const fs::path path = modelOrSeries(pathOrName);
    const bool isFolder = fs::is_directory(path, ignored);
    if (!isFolder && fs::exists(path, ignored))
        return path;
    auto state = path.has_filename() ? path : path.parent_path(); // for a path such as "copy/"
    if (state.extension() == seriesEnding)
        state.replace_extension();
    state += stateEnding;
    for (const auto& folder : {path, state})
        if (fs::is_regular_file(folder / logName, ignored))
            return folder / logName;
    throw trace::Refusal({.what = "There is no log of a training",
                          .where = path.string(),
                          .expected = "log.csv as train writes it, its folder, or the model that was trained",
                          .found = isFolder ? "a folder without log.csv, and none beside it" : "nothing",
                          .wayOut = "name the log: it lies in the folder of the training's state"});
}

} // namespace headscope::app

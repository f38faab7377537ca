#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::app {

/// A bundled model as resources/models/models.json introduces it. Sentences are marked for translation by
/// their context, "BundledModels".
struct BundledModel {
    std::string name;
    std::string opens; ///< its name, of a series that of a snapshot
    std::string title;
    std::string says; ///< one sentence: what it does, or the idea that a toy shows
    std::string size;
    std::string score;
    std::string badge;
    bool isToy = false;
    std::filesystem::path thumbnail; ///< a map of a head, 255 for its largest weight (make_thumbnails.py)
};
/// All of bundledModels(), in the order of the file; the others last, of which only the name is known.
std::vector<BundledModel> introducedModels();
/// BundledModel::opens of a bundled model's name; of everything else itself.
std::string openingOf(const std::string& pathOrName);

} // namespace headscope::app

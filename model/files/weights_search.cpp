#include "model/files/weights_search.h"

#include "model/files/folder.h"
#include "model/files/gguf.h"
#include "model/files/hub_cache.h"
#include "model/files/parallel_parts.h"
#include "model/trace/joined.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace headscope::files {

namespace {

namespace fs = std::filesystem;
using trace::Refusal;

/// Whether a file is what programs save beside the weights to go on with training.
bool isStateOfTraining(const fs::path& path) {
    constexpr std::array<std::string_view, 8> beginnings{"optimizer",     "scheduler",    "scaler",
                                                         "rng_state",     "sampler",      "dl_state",
                                                         "training_args", "trainer_state"};
    const auto name = path.filename().string();
    return name.find("optim_states") != name.npos || // DeepSpeed's
           std::ranges::any_of(beginnings, [&](std::string_view start) { return name.starts_with(start); });
}

/// Many files that are no model end in .bin. Those of models begin as a zip archive, a pickle or safetensors
/// do, or as the pointer that Git LFS leaves in their place, of which their reader tells.
bool beginsAsWeights(const fs::path& path) {
    std::array<char, 9> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    const std::string_view begins(start.data(), start.size());
    return begins.starts_with("PK\x03\x04") || begins.front() == '\x80' || begins.back() == '{' ||
           begins == "version h";
}

/// Whether a file may be the weights of a model.
bool isWeights(const fs::path& path) {
    return isWeightsName(path) && !isStateOfTraining(path) && isFile(path) &&
           (path.extension() != ".bin" || beginsAsWeights(path));
}

/// The entries of a folder, a limited number of them. Throws trace::Refusal.
std::vector<fs::path> entriesOf(const fs::path& folder) {
    constexpr std::size_t most = 100'000;
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entries.size() < most)
            entries.push_back(entry->path());
    if (error)
        throw Refusal({.what = "The model's folder cannot be read",
                       .where = folder.string(),
                       .expected = "a folder whose files can be listed",
                       .found = error.message(),
                       .wayOut = "check who may read it"});
    return entries;
}

/// Returns the file of a folder with a usual name, else all that may hold weights.
std::vector<fs::path> weightFilesIn(const fs::path& folder) {
    for (const char* usual : {"model.safetensors", "model.pt", "pytorch_model.bin", "model.npz",
                              "model.safetensors.index.json", "pytorch_model.bin.index.json"})
        if (isFile(folder / usual))
            return {folder / usual};
    auto candidates = entriesOf(folder);
    std::erase_if(candidates, [](const fs::path& entry) { return !isWeights(entry); });
    return candidates;
}

/// Orders numbers within names by their value: checkpoint-500 comes before checkpoint-1000.
bool isBefore(const fs::path& one, const fs::path& other) {
    const auto key = [](const std::string& name) {
        constexpr std::size_t widest = 20;
        std::string padded, digits;
        for (const char c : name + '\0')
            if (c >= '0' && c <= '9')
                digits += c;
            else {
                padded.append(digits.empty() || digits.size() > widest ? 0 : widest - digits.size(), '0') +=
                    digits + c;
                digits.clear();
            }
        return padded;
    };
    return key(one.string()) < key(other.string());
}

/// Adds the folders below a folder that hold weights, such as checkpoint-500, down to those that Lightning
/// makes. `left` limits the folders that are looked into: a person may have opened a whole disk.
void addFoldersWithWeights(std::vector<fs::path>& found, const fs::path& folder, int& left, int levels = 3) {
    std::error_code ignored;
    for (const auto& entry : entriesOf(folder)) {
        if (!fs::is_directory(fs::symlink_status(entry, ignored)))
            continue;
        if (--left < 0)
            return;
        try {
            if (!weightFilesIn(entry).empty())
                found.push_back(entry);
            else if (levels > 1)
                addFoldersWithWeights(found, entry, left, levels - 1);
        } catch (const Refusal&) { // of a folder that a person may not read
        }
    }
}

struct Candidates {
    std::vector<fs::path> paths; ///< sorted
    bool areFolders = false;     ///< below the folder, which holds no weights itself

    bool areSeveral() const {
        return paths.size() > 1 &&
               (areFolders || !(std::ranges::all_of(paths, isParallelPart) || arePartsOfOneGguf(paths)));
    }
};

Candidates candidatesIn(const fs::path& folder) {
    Candidates candidates{weightFilesIn(folder)};
    if (candidates.paths.empty()) {
        int mostFolders = 1000;
        addFoldersWithWeights(candidates.paths, folder, mostFolders);
        candidates.areFolders = true;
    }
    std::ranges::sort(candidates.paths, isBefore);
    if (candidates.areFolders && candidates.paths.size() == 1)
        return candidatesIn(candidates.paths.front());
    return candidates;
}

/// Returns the first names, relative to a folder.
std::string namesOf(const std::vector<fs::path>& paths, const fs::path& folder) {
    constexpr std::size_t shown = 20;
    std::vector<std::string> names;
    for (const auto& path : paths)
        names.push_back(path.lexically_relative(folder).string());
    const auto rest = names.size() - std::min(names.size(), shown);
    names.resize(names.size() - rest);
    return trace::joined(names) + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

void addFile(ModelInFolder& model, const fs::path& file) {
    std::error_code ignored;
    if (const auto bytes = fs::file_size(file, ignored); !ignored)
        model.bytes += bytes;
    if (const auto changed = fs::last_write_time(file, ignored); !ignored)
        model.changed = std::max(model.changed, changed);
}

ModelInFolder described(const fs::path& path, bool isFolder) {
    ModelInFolder model{.path = path, .changed = fs::file_time_type::min()};
    if (!isFolder)
        addFile(model, path);
    else
        for (const auto& entry : entriesOf(path)) // shards among them
            if (isWeights(entry))
                addFile(model, entry);
    return model;
}

} // namespace

bool isWeightsName(const fs::path& path) {
    constexpr std::array endings{".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".gguf"};
    if (path.extension() == ".npz") // Marian's, and not any other arrays
        return path.filename().string().find("model") != std::string::npos;
    return std::find(endings.begin(), endings.end(), path.extension()) != endings.end();
}

std::vector<ModelInFolder> severalModels(const fs::path& folder) {
    std::vector<ModelInFolder> models;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return models;
    try {
        if (const auto candidates = candidatesIn(folder); candidates.areSeveral())
            for (const auto& path : candidates.paths)
                models.push_back(described(path, candidates.areFolders));
    } catch (const Refusal&) { // weightsOf() says what is wrong
        models.clear();
    }
    return models;
}

const ModelInFolder& newest(const std::vector<ModelInFolder>& models) {
    return *std::ranges::max_element(models.rbegin(), models.rend(), {}, &ModelInFolder::changed);
}

fs::path weightsOf(const fs::path& folder) {
    const auto candidates = candidatesIn(folder);
    const auto wayOut = howToDownload(folder); // of a model that is in the hub's cache in part
    if (candidates.paths.empty())
        throw Refusal(
            {.what = "This folder holds no model",
             .where = folder.string(),
             .expected =
                 "one file ending in .safetensors, .pt, .pth, .ckpt, .bin or .gguf, Marian's model.npz, or "
                 "an index of shards",
             .found = "none",
             .wayOut = wayOut.empty() ? "open the folder that the weights lie in" : wayOut});
    if (!candidates.areSeveral())
        return candidates.paths.front();
    const bool areFolders = candidates.areFolders;
    throw Refusal(
        {.what = areFolders ? "This folder holds several checkpoints" : "This folder holds several models",
         .where = folder.string(),
         .expected = "one of them",
         .found = namesOf(candidates.paths, folder),
         .wayOut = areFolders ? "open one of these folders" : "open one of the files instead of the folder"});
}

} // namespace headscope::files

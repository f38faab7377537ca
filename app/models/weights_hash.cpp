#include "app/models/weights_hash.h"

#include "app/traces/read_trace.h"
#include "app/traces/trace_tensors.h"
#include "model/files/file_descriptor.h"
#include "model/files/folder.h"
#include "model/files/gguf.h"
#include "model/files/hub_cache.h"
#include "model/files/read_file.h"
#include "model/files/sha256.h"
#include "model/files/shard_index.h"
#include "model/files/weights_search.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> weightFiles(const fs::path& weights) {
    if (weights.extension() == ".gguf")
        return files::partsOfGguf(weights);
    const auto adapter = weights.parent_path() / "adapter_config.json"; // it has the scale
    if (weights.filename().string().starts_with("adapter_model.") && files::isFile(adapter))
        return {weights, adapter};
    if (weights.extension() != ".json")
        return {weights};
    const auto text = files::readText(weights, files::maximumShardIndexBytes);
    std::vector<fs::path> shards;
    for (const auto& [shard, tensors] : files::parseShardIndex(text, weights.string()).tensorsOf)
        shards.push_back(weights.parent_path() / shard);
    return shards;
}

/// The weights of a model that is given as a file, a folder, or its folder in the hub's cache.
fs::path weightsAt(const fs::path& path) {
    if (std::error_code ignored; !fs::is_directory(path, ignored))
        return path;
    const auto cached = files::cachedModel(path);
    return files::weightsOf(cached && cached->current ? *cached->current : path);
}

/// The files that a model's weights come from: its own, then those of an adapter's base.
std::vector<fs::path> filesOf(const fs::path& weights, const std::string& base) {
    auto files = weightFiles(weights);
    if (!base.empty())
        std::ranges::move(weightFiles(weightsAt(base)), std::back_inserter(files));
    return files;
}

/// When each file was changed last; 0 for one that is missing.
std::vector<std::int64_t> changes(const fs::path& weights, const std::string& base) {
    std::vector<std::int64_t> times;
    try {
        for (const auto& path : filesOf(weights, base)) {
            std::error_code missing;
            const auto time = fs::last_write_time(path, missing);
            times.push_back(missing ? 0 : time.time_since_epoch().count());
        }
    } catch (const trace::Refusal&) {
        times.push_back(0); // a list of shards, or the base, is not there any more
    }
    return times;
}

void addFile(files::Sha256& hash, const fs::path& path, const std::stop_token& stop) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> part(std::size_t{1} << 20);
    do {
        trace::throwIfStopped(stop);
        file.read(part.data(), static_cast<std::streamsize>(part.size()));
        hash.add(std::as_bytes(std::span(part.data(), static_cast<std::size_t>(file.gcount()))));
    } while (file);
    if (!file.eof())
        throw trace::Refusal({.what = "The weights cannot be read again",
                              .where = path.string(),
                              .wayOut = "put the file back, or open the model anew"});
}

std::string utc(fs::file_time_type time) {
    using std::chrono::system_clock;
    const auto changed = std::chrono::file_clock::to_sys(time);
    const std::time_t seconds =
        system_clock::to_time_t(std::chrono::time_point_cast<system_clock::duration>(changed));
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::string text(sizeof("2026-01-01T00:00:00Z"), '\0');
    text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
    return text;
}

/// Identifies a large trace by its header, without reading the rest.
std::string traceIdentity(const fs::path& path) {
    const auto header = files::SafetensorsFile(path).headerBytes();
    const auto file = files::openForReading(path);
    std::vector<std::byte> bytes(header);
    files::readExactly(file.descriptor, bytes, path);
    files::Sha256 hash;
    hash.add(bytes);
    return "sha256:" + hash.digest() + " of the header, " + std::to_string(header) + " of " +
           std::to_string(file.size) + " bytes, of a trace that was changed " +
           utc(fs::last_write_time(path));
}

bool isReadInParts(const fs::path& path) {
    return path.extension() == ".safetensors" && fs::file_size(path) > TraceTensors::largestReadWhole &&
           isTrace(path);
}

} // namespace

WeightsFile weightsFile(const std::string& path, const std::string& base) {
    return {.path = path, .base = base, .changed = changes(path, base)};
}

std::string weightsHash(const WeightsFile& weights, std::optional<std::uint64_t> randomTwin,
                        const std::stop_token& stop) {
    if (randomTwin)
        return "random, seed " + std::to_string(*randomTwin);
    static std::mutex mutex;
    static std::map<WeightsFile, std::string> known;
    const std::scoped_lock lock(mutex);
    auto& text = known[weights];
    if (!text.empty())
        return text;
    if (changes(weights.path, weights.base) != weights.changed)
        return "changed on the disk since they were opened";
    if (isReadInParts(weights.path))
        return text = traceIdentity(weights.path);
    files::Sha256 hash;
    for (const auto& path : filesOf(weights.path, weights.base))
        addFile(hash, path, stop);
    return text = "sha256:" + hash.digest();
}

} // namespace headscope::app

#include "app/plain/weights_hash.h"

#include "model/files/read_file.h"
#include "model/files/sha256.h"
#include "model/files/shard_index.h"
#include "model/trace/refusal.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> weightFiles(const fs::path& weights) {
    if (weights.extension() != ".json")
        return {weights};
    const auto text = files::readText(weights, files::maximumShardIndexBytes);
    std::vector<fs::path> shards;
    for (const auto& [shard, tensors] : files::parseShardIndex(text, weights.string()).tensorsOf)
        shards.push_back(weights.parent_path() / shard);
    return shards;
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

} // namespace

WeightsFile weightsFile(const std::string& path) {
    std::error_code ignored;
    return {.path = path, .changed = fs::last_write_time(path, ignored).time_since_epoch().count()};
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
    std::error_code missing;
    const auto changed = fs::last_write_time(weights.path, missing).time_since_epoch().count();
    if (missing || changed != weights.changed)
        return "changed on the disk since they were opened";
    files::Sha256 hash;
    for (const auto& path : weightFiles(weights.path))
        addFile(hash, path, stop);
    return text = "sha256:" + hash.digest();
}

} // namespace headscope::app

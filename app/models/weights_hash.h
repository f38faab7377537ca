#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::app {

/// Identifies the weights file of an open model, which may change later.
struct WeightsFile {
    std::string path;
    std::string base; ///< that an adapter was merged into; empty: no adapter
    /// When each of its files and the base's was changed last, in the file system's clock.
    std::vector<std::int64_t> changed;
    friend auto operator<=>(const WeightsFile&, const WeightsFile&) = default;
};
/// Returns the current state of `path` (trace::ModelSummary::path), and of `base`, its property of that name.
/// Call when the model is opened; may block on slow file systems.
WeightsFile weightsFile(const std::string& path, const std::string& base = {});

/// Returns the identification of weights for a figure's metadata: "sha256:" and the digest of the file, as
/// printed by `sha256sum`; for shards the digest of their concatenation in order of names;
/// for an adapter that of its weights, its configuration and its base; for random weights
/// the seed. For a trace above 1 GiB, which is never read as a whole, the digest of its header, with file
/// size and time of the last change. Files are read once, about one second per some hundred megabytes. If one
/// of the files has changed since it was opened, the result says so instead. Throws trace::Refusal if the
/// file cannot be read, or trace::Cancelled.
std::string weightsHash(const WeightsFile& weights, std::optional<std::uint64_t> randomTwin,
                        const std::stop_token& stop = {});

} // namespace headscope::app

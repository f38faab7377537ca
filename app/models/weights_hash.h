#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace headscope::app {

/// The weights of an open model as a file that may change later.
struct WeightsFile {
    std::string path;
    std::int64_t changed = 0; ///< last, in its file system's clock
    friend auto operator<=>(const WeightsFile&, const WeightsFile&) = default;
};
/// As it is now (trace::ModelSummary::path): asked for when the model is opened. The file system may take its
/// time.
WeightsFile weightsFile(const std::string& path);

/// What a figure says of the weights that it was computed with: "sha256:" and the digest of their file, as
/// `sha256sum` prints it, or of all shards one behind the other in the order of their names; of random
/// weights their seed. Of a trace above 1 GiB, which is never read whole, the digest is that of its header,
/// with its size and when it was changed last. Read once a file, a second for some hundred megabytes. Where
/// the file is no longer the one that was opened, it says so instead. Throws trace::Refusal where it cannot
/// be read, or trace::Cancelled.
std::string weightsHash(const WeightsFile& weights, std::optional<std::uint64_t> randomTwin,
                        const std::stop_token& stop = {});

} // namespace headscope::app

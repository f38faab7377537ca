#include "model/engine/run_memory.h"

#include "model/files/available_memory.h"
#include "model/network/transformer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace headscope::engine {

namespace {

constexpr double bytesOfFloat = 4;
constexpr double cellsAtOnce = 1 << 22; ///< of a map that is left out

/// Of fewer than `tooMany`, for which `bytes` says what they need.
std::int64_t mostTokens(const std::function<double(std::int64_t)>& bytes, std::int64_t tooMany,
                        double available) {
    std::int64_t fits = 0;
    while (tooMany - fits > 1) {
        const auto middle = (fits + tooMany) / 2;
        (bytes(middle) <= available ? fits : tooMany) = middle;
    }
    return fits;
}

/// What is too long for the memory there is.
struct Side {
    std::string what;
    std::int64_t tokens = 0;
    int layers = 0;
    std::function<double(std::int64_t)> bytes; ///< of so many tokens
};

void refuseTooMany(const Side& side, std::optional<double> available) {
    const double needed = side.bytes(side.tokens);
    if (!available || needed <= *available)
        return;
    const auto most = mostTokens(side.bytes, side.tokens, *available);
    throw trace::Refusal(
        {.what = "There is not enough memory for so long a " + side.what,
         .where = std::to_string(side.tokens) + " tokens in " + std::to_string(side.layers) + " layers",
         .expected = "at most " + files::bytesInWords(*available) + ", which is free now",
         .found = "about " + files::bytesInWords(needed) + " needed",
         .wayOut = most > 0
                       ? "shorten it to at most " + std::to_string(most) + " tokens, or close other programs"
                       : "close other programs"});
}

} // namespace

void refuseTooLarge(const network::NetworkConfig& config, trace::RefusalText text,
                    std::optional<double> available) {
    const double needed = network::Transformer::memoryNeeded(config);
    if (!available || needed <= *available)
        return;
    text.what = "The model does not fit into this computer's memory";
    text.expected = "at most " + files::bytesInWords(*available) + ", which is free now";
    text.found = files::bytesInWords(needed) + " of parameters and positions";
    throw trace::Refusal(std::move(text));
}

double bytesOfSource(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap) {
    const auto n = static_cast<double>(tokens);
    const double inner = config.encoderHeads * config.headWidth;
    const double decoderInner = config.decoderHeads * config.headWidth;
    const bool leftOut = longestMap > 0 && tokens > longestMap;
    const double cells = config.encoderHeads * n * n; // of a layer
    const double keptOfLayer = leftOut ? 2 * n * inner * bytesOfFloat : cells * 2 * bytesOfFloat + n * n;
    const double ofCross = (leftOut ? 3 : 2) * n * decoderInner * bytesOfFloat; // and the keys as values
    const double maps = 3 * bytesOfFloat * (leftOut ? std::min(cells, cellsAtOnce) : cells);
    const double masks = 2 * n * n;
    const double rows = leftOut ? static_cast<double>(longestMap) : n; // of a feed-forward at once
    const double stream =
        bytesOfFloat * (n * (6.0 * config.modelWidth + 3 * inner) + 2 * rows * config.feedForwardWidth);
    return config.encoderLayers * keptOfLayer + config.decoderLayers * ofCross + maps + masks + stream;
}

void refuseTooLittleMemory(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap,
                           std::optional<double> available) {
    refuseTooMany({.what = "source",
                   .tokens = tokens,
                   .layers = config.encoderLayers,
                   .bytes = [&](std::int64_t count) { return bytesOfSource(config, count, longestMap); }},
                  available);
}

double bytesOfTarget(const network::NetworkConfig& config, const RunLengths& lengths) {
    const auto n = static_cast<double>(lengths.target);
    const double inner = config.decoderHeads * config.headWidth;
    const double keptOfLayer = 5 * n * inner * bytesOfFloat; // q and k of itself and q of the source, and the
                                                             // session's keys and values
    const double longestRow = static_cast<double>(std::max(lengths.source, lengths.target));
    const double maps = 3 * bytesOfFloat * std::min(config.decoderHeads * n * longestRow, cellsAtOnce);
    const double masks = 4 * n * n;
    const double stream =
        bytesOfFloat * (n * (8.0 * config.modelWidth + 3 * inner) +
                        2.0 * static_cast<double>(lengths.longestMap) * config.feedForwardWidth);
    return config.decoderLayers * keptOfLayer + maps + masks + stream;
}

void refuseTooLittleMemoryForTarget(const network::NetworkConfig& config, const RunLengths& lengths,
                                    std::optional<double> available) {
    refuseTooMany({.what = "target",
                   .tokens = lengths.target,
                   .layers = config.decoderLayers,
                   .bytes =
                       [&](std::int64_t count) {
                           return bytesOfTarget(
                               config,
                               {.source = lengths.source, .target = count, .longestMap = lengths.longestMap});
                       }},
                  available);
}

} // namespace headscope::engine

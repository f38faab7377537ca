#include "model/engine/run_memory.h"

#include "model/files/available_memory.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <string>

namespace headscope::engine {

namespace {

constexpr double bytesOfFloat = 4;
constexpr double cellsAtOnce = 1 << 22; ///< of a map that is left out

std::int64_t mostTokens(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap,
                        double available) {
    std::int64_t fits = 0;
    for (std::int64_t tooMany = tokens; tooMany - fits > 1;) {
        const auto middle = (fits + tooMany) / 2;
        (bytesOfSource(config, middle, longestMap) <= available ? fits : tooMany) = middle;
    }
    return fits;
}

} // namespace

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
    const double needed = bytesOfSource(config, tokens, longestMap);
    if (!available || needed <= *available)
        return;
    const auto most = mostTokens(config, tokens, longestMap, *available);
    throw trace::Refusal(
        {.what = "There is not enough memory for so long a source",
         .where = std::to_string(tokens) + " tokens in " + std::to_string(config.encoderLayers) + " layers",
         .expected = "at most " + files::bytesInWords(*available) + ", which is free now",
         .found = "about " + files::bytesInWords(needed) + " needed",
         .wayOut = most > 0
                       ? "shorten it to at most " + std::to_string(most) + " tokens, or close other programs"
                       : "close other programs"});
}

} // namespace headscope::engine

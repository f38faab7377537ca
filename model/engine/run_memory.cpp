#include "model/engine/run_memory.h"

#include "model/files/available_memory.h"
#include "model/network/transformer.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace headscope::engine {

namespace {

constexpr double bytesOfFloat = 4;
constexpr double cellsAtOnce = 1 << 22; ///< computed at a time, of maps that are not stored

/// Returns the largest count below `tooMany` whose `bytes` fit.
std::int64_t mostTokens(const std::function<double(std::int64_t)>& bytes, std::int64_t tooMany,
                        double available) {
    std::int64_t fits = 0;
    while (tooMany - fits > 1) {
        const auto middle = (fits + tooMany) / 2;
        (bytes(middle) <= available ? fits : tooMany) = middle;
    }
    return fits;
}

/// One side of a run whose memory is checked.
struct Side {
    std::string what;
    std::int64_t tokens = 0;
    int layers = 0;
    std::function<double(std::int64_t)> bytes; ///< bytes needed for a number of tokens
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

bool isNotStored(std::int64_t tokens, std::int64_t longestMap) {
    return longestMap > 0 && tokens > longestMap;
}

/// Returns the bytes of the maps of one layer that exist at the same time.
double bytesOfMaps(double cells, bool notStored) {
    return 3 * bytesOfFloat * (notStored ? std::min(cells, cellsAtOnce) : cells);
}

/// Returns the bytes of the source keys and values that the decoder uses.
double bytesOfCross(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap) {
    if (!config.hasCrossAttention())
        return 0;
    const double inner = config.decoder.heads * config.decoder.headWidth;
    const int tensors = isNotStored(tokens, longestMap) ? 3 : 2; // keys, values, keys as plain values
    return config.decoder.layers * tensors * static_cast<double>(tokens) * inner * bytesOfFloat;
}

/// Returns the temporary bytes while an encoder layer is computed: maps, masks and stream. Long inputs pass
/// through the feed-forward network some rows at a time.
double bytesWhileEncoding(const network::NetworkConfig& config, std::int64_t tokens,
                          std::int64_t longestMap) {
    const auto n = static_cast<double>(tokens);
    const double inner = config.encoder.heads * config.encoder.headWidth;
    const bool notStored = isNotStored(tokens, longestMap);
    const double rows = notStored ? static_cast<double>(longestMap) : n;
    const double stream = bytesOfFloat * (n * (6.0 * config.widthOf(config.encoder) + 3 * inner) +
                                          2 * rows * config.encoder.feedForwardWidth);
    return bytesOfMaps(config.encoder.heads * n * n, notStored) + 2 * n * n + stream;
}

/// Same for a decoder layer and a target read in one pass.
double bytesWhileDecoding(const network::NetworkConfig& config, const RunLengths& lengths) {
    const auto n = static_cast<double>(lengths.target);
    const double inner = config.decoder.heads * config.decoder.headWidth;
    const auto longest = std::max(lengths.source, lengths.target);
    const bool notStored = isNotStored(longest, lengths.longestMap);
    const double rows =
        isNotStored(lengths.target, lengths.longestMap) ? static_cast<double>(lengths.longestMap) : n;
    const double stream = bytesOfFloat * (n * (8.0 * config.widthOf(config.decoder) + 3 * inner) +
                                          2 * rows * config.decoder.feedForwardWidth);
    return bytesOfMaps(config.decoder.heads * n * static_cast<double>(longest), notStored) + 4 * n * n +
           stream;
}

} // namespace

std::optional<double> bytesNotAllocated(const std::string& message) {
    constexpr std::string_view before = "tried to allocate ";
    const auto at = message.find(before);
    double bytes = 0;
    if (at == message.npos || std::sscanf(message.c_str() + at + before.size(), "%lf", &bytes) != 1)
        return std::nullopt;
    return bytes;
}

void refuseTooLarge(double needed, trace::RefusalText text, std::optional<double> available) {
    if (!available || needed <= *available)
        return;
    text.what = "The model does not fit into this computer's memory";
    text.expected = "at most " + files::bytesInWords(*available) + ", which is free now";
    text.found = files::bytesInWords(needed) + " of parameters and positions";
    throw trace::Refusal(std::move(text));
}

double bytesOfSource(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap) {
    const auto n = static_cast<double>(tokens);
    const double inner = config.encoder.heads * config.encoder.headWidth;
    const double cells = config.encoder.heads * n * n; // per layer
    const bool notStored = isNotStored(tokens, longestMap);
    const double keptOfLayer = notStored ? 2 * n * inner * bytesOfFloat : cells * 2 * bytesOfFloat + n * n;
    return config.encoder.layers * keptOfLayer + bytesOfCross(config, tokens, longestMap) +
           bytesWhileEncoding(config, tokens, longestMap);
}

void refuseTooLittleMemory(const network::NetworkConfig& config, std::int64_t tokens, std::int64_t longestMap,
                           std::optional<double> available) {
    refuseTooMany({.what = "source",
                   .tokens = tokens,
                   .layers = config.encoder.layers,
                   .bytes = [&](std::int64_t count) { return bytesOfSource(config, count, longestMap); }},
                  available);
}

double bytesOfTarget(const network::NetworkConfig& config, const RunLengths& lengths) {
    const double inner = config.decoder.heads * config.decoder.headWidth;
    // q and k of self-attention, q of cross-attention, k and v of the session
    const double keptOfLayer = 5 * static_cast<double>(lengths.target) * inner * bytesOfFloat;
    return config.decoder.layers * keptOfLayer + bytesWhileDecoding(config, lengths);
}

double bytesOfBeams(const network::NetworkConfig& config, const RunLengths& lengths, std::int64_t beams) {
    const auto rows = static_cast<double>(lengths.target); // per hypothesis
    const double withMaps =
        isNotStored(lengths.target, lengths.longestMap) ? static_cast<double>(lengths.longestMap) : rows;
    const double own = withMaps * (withMaps + 1) / 2; // cells of the decoder self-attention map
    const double cross =
        isNotStored(lengths.source, lengths.longestMap) ? 0 : rows * static_cast<double>(lengths.source);
    // Scores and weights, in self-attention also the scores of earlier queries, and the masks.
    const double maps = config.decoder.heads * bytesOfFloat * (3 * own + 2 * cross) + own + cross;
    const double inner = config.decoder.heads * config.decoder.headWidth;
    // q, k and v of self-attention, q of cross-attention
    const double vectors = rows * 4 * inner * bytesOfFloat;
    const double vocabulary = withMaps * static_cast<double>(config.targetVocabulary) * bytesOfFloat;
    return static_cast<double>(beams) * (config.decoder.layers * (maps + vectors) + vocabulary);
}

void refuseTooLittleMemoryForBeams(const network::NetworkConfig& config, const RunLengths& lengths,
                                   std::int64_t beams, std::optional<double> available) {
    const double needed = bytesOfBeams(config, lengths, beams);
    if (!available || needed <= *available)
        return;
    const auto widest = mostTokens([&](std::int64_t count) { return bytesOfBeams(config, lengths, count); },
                                   beams, *available);
    const auto longest = mostTokens(
        [&](std::int64_t count) {
            return bytesOfBeams(
                config, {.source = lengths.source, .target = count, .longestMap = lengths.longestMap}, beams);
        },
        lengths.target, *available);
    const std::string shorter = "let it end after at most " + std::to_string(longest) + " tokens";
    throw trace::Refusal({.what = "There is not enough memory for so wide a beam",
                          .where = std::to_string(beams) + " hypotheses of up to " +
                                   std::to_string(lengths.target) + " tokens in " +
                                   std::to_string(config.decoder.layers) + " layers",
                          .expected = "at most " + files::bytesInWords(*available) + ", which is free now",
                          .found = "about " + files::bytesInWords(needed) + " needed" +
                                   (isNotStored(lengths.target, lengths.longestMap)
                                        ? ": hypotheses keep the rows of long targets one by one"
                                        : ""),
                          .wayOut = widest > 0 ? "take a beam of at most " + std::to_string(widest) +
                                                     (longest > 0 ? ", or " + shorter : "")
                                    : longest > 0 ? shorter
                                                  : "close other programs"});
}

double bytesOfRun(const network::NetworkConfig& config, const RunLengths& lengths) {
    const auto target = static_cast<double>(lengths.target);
    const double keys = target + (config.hasCrossAttention() ? static_cast<double>(lengths.source) : 0);
    const double joined = 2 * bytesOfFloat * config.decoder.layers * config.decoder.heads * target * keys;
    return bytesOfSource(config, lengths.source, lengths.longestMap) + bytesOfBeams(config, lengths, 1) +
           (isNotStored(lengths.target, lengths.longestMap) ? 0 : joined);
}

double bytesOfPass(const network::NetworkConfig& config, const RunLengths& lengths) {
    const double inner = config.decoder.heads * config.decoder.headWidth;
    const double keptOfLayer = 2 * static_cast<double>(lengths.target) * inner * bytesOfFloat;
    return config.decoder.layers * keptOfLayer + bytesOfCross(config, lengths.source, lengths.longestMap) +
           std::max(bytesWhileEncoding(config, lengths.source, lengths.longestMap),
                    bytesWhileDecoding(config, lengths));
}

void refuseTooLittleMemoryForTarget(const network::NetworkConfig& config, const RunLengths& lengths,
                                    std::optional<double> available) {
    refuseTooMany({.what = "target",
                   .tokens = lengths.target,
                   .layers = config.decoder.layers,
                   .bytes =
                       [&](std::int64_t count) {
                           return bytesOfTarget(
                               config,
                               {.source = lengths.source, .target = count, .longestMap = lengths.longestMap});
                       }},
                  available);
}

/// Assumes that source and target grow in proportion.
void refuseTooLittleMemoryForPass(const network::NetworkConfig& config, const RunLengths& lengths,
                                  std::optional<double> available) {
    const auto tokens = std::max<std::int64_t>(1, lengths.source);
    refuseTooMany({.what = "sentence",
                   .tokens = tokens,
                   .layers = config.encoder.layers + config.decoder.layers,
                   .bytes =
                       [&](std::int64_t count) {
                           return bytesOfPass(config, {.source = count,
                                                       .target = lengths.target * count / tokens,
                                                       .longestMap = lengths.longestMap});
                       }},
                  available);
}

} // namespace headscope::engine

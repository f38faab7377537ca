#pragma once

#include "model/analysis/heads/offset_votes.h"
#include "model/analysis/heads/statistic.h"
#include "model/trace/run.h"

#include <array>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::analysis {

/// How near the diagonal of a rectangle a cell must lie to count for Statistic::ScaledDiagonal, with both
/// axes from 0 to 1. A convention.
inline constexpr double scaledDiagonalWidth = 0.1;
/// A key is a sink where its mean weight is above this (threshold as in Gu et al. 2025).
inline constexpr double sinkThreshold = 0.3;

/// What the key is that receives most of a head's weight in a sentence.
enum class SinkToken { End, Start, Punctuation, Text };
inline constexpr std::size_t sinkTokenCount = static_cast<std::size_t>(SinkToken::Text) + 1;

/// What one head does, over one sentence or many. Rows of padding and rows without an open key do not count;
/// rows with one open key, where nothing can be chosen, do not count for entropy, effective keys and offsets.
struct HeadStatistics {
    trace::HeadAddress head;
    std::size_t sentences = 1;
    std::size_t rows = 0; ///< that count
    StatisticValues values;
    /// The same for attention spread evenly over the same open keys: what shape and mask alone make of a
    /// number.
    StatisticValues uniform;
    OffsetVotes offsets;                                  ///< of self-attention
    std::array<std::size_t, sinkTokenCount> sinkTokens{}; ///< [SinkToken] sentences whose largest key it is

    // Of one sentence; empty for many.
    std::vector<double> received;   ///< [keys] mean weight a key received; times `rows` it is its coverage
    std::vector<std::size_t> sinks; ///< keys that received more than sinkThreshold
    /// [queries] Mean position that a row of cross-attention looks at among text; nothing where it looks at
    /// none.
    std::vector<std::optional<double>> expectedPositions;
};

/// Of one head's map. `queries` are the tokens that were fed to the rows (of cross-attention not those they
/// chose), `keys` those of the columns. `uniform` is left empty.
HeadStatistics headStatistics(const trace::AttentionRecord& record, std::size_t head,
                              const std::vector<trace::Token>& queries,
                              const std::vector<trace::Token>& keys);

/// Of every head of a run, by address. Maps that the run left out are computed again, one head at a time.
/// Throws trace::Cancelled.
std::vector<HeadStatistics> statisticsOfHeads(const trace::Run& run, std::stop_token stop = {});

/// The same of one of its records.
std::vector<HeadStatistics> statisticsOfSite(const trace::Run& run, const trace::AttentionRecord& record,
                                             std::stop_token stop = {});

/// The tokens that were fed to the rows of a map.
const std::vector<trace::Token>& fedTokens(const trace::Run& run, trace::AttentionKind kind);

} // namespace headscope::analysis

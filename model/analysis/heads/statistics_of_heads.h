#pragma once

#include "model/analysis/heads/offset_votes.h"
#include "model/analysis/heads/statistic.h"
#include "model/trace/run.h"
#include "model/trace/task.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace headscope::analysis {

/// Largest distance from the diagonal at which a cell counts for Statistic::ScaledDiagonal, with both axes
/// scaled to 0 to 1. A convention of this program.
inline constexpr double scaledDiagonalWidth = 0.1;
/// A key is a sink if its mean weight is above this threshold (Gu et al. 2025).
inline constexpr double sinkThreshold = 0.3;

/// The kind of key that receives most of a head's weight in a sentence.
enum class SinkToken { End, Start, Punctuation, Text };
inline constexpr std::size_t sinkTokenCount = static_cast<std::size_t>(SinkToken::Text) + 1;

/// Statistics of one head over one or many sentences. Padding rows and rows without an allowed key do not
/// count; rows with a single allowed key, which have no choice, do not count for entropy, effective keys and
/// offsets.
struct HeadStatistics {
    trace::HeadAddress head;
    std::size_t sentences = 1;
    std::size_t rows = 0; ///< number of rows that count
    StatisticValues values;
    /// The same for uniform attention over the same allowed keys: the part of a value that is due to shape
    /// and mask alone.
    StatisticValues uniform;
    OffsetVotes offsets;                                  ///< for self-attention
    std::size_t inductionRows = 0;                        ///< rows that Statistic::Induction is a mean of
    std::array<std::size_t, sinkTokenCount> sinkTokens{}; ///< sentences by kind of their strongest key

    // The following are for a single sentence; empty for several.
    std::vector<double> received;   ///< [keys] mean weight received; times `rows` it is the coverage
    std::vector<std::size_t> sinks; ///< keys that receive more than sinkThreshold
    /// [queries] Mean position of the text that a cross-attention row attends to; empty if there is none.
    std::vector<std::optional<double>> expectedPositions;
};

/// Returns the statistics of one head's map. `queries` are the input tokens of the rows (also for
/// cross-attention, not the tokens chosen there), `keys` those of the columns. `secondText` is
/// trace::Run::secondText for a map of the encoder. `uniform` stays empty.
HeadStatistics headStatistics(const trace::AttentionRecord& record, std::size_t head,
                              const std::vector<trace::Token>& queries, const std::vector<trace::Token>& keys,
                              std::optional<trace::TokenIndex> secondText = {});

/// What a head of an encoder reads of a pair of texts, rows and keys are the first and the second one: mean
/// weight of the rows of a text on the keys of a text. A row sums to 1.
using WeightBetweenTexts = std::array<std::array<double, 2>, 2>;
/// Empty unless the statistics are of pairs.
std::optional<WeightBetweenTexts> weightBetweenTexts(const StatisticValues& values);

/// Returns the statistics of every head of a run, sorted by address. Maps that are not stored are recomputed,
/// one head at a time. Throws trace::Cancelled.
std::vector<HeadStatistics> statisticsOfHeads(const trace::Run& run, std::stop_token stop = {});

/// A question (trace::Counted): the statistics of every head of a run, by address. Those of long maps come
/// one layer after the other.
struct StatisticsWhat {
    using Value = std::vector<HeadStatistics>;
    std::shared_ptr<const trace::Run> run; ///< complete
    bool takesLong() const;
    Value count(const trace::Task& work, const std::function<void(Value)>& partial) const;
    friend bool operator==(const StatisticsWhat&, const StatisticsWhat&) = default;
};

/// Returns the input tokens of a map's rows.
const std::vector<trace::Token>& fedTokens(const trace::Run& run, trace::AttentionKind kind);

} // namespace headscope::analysis

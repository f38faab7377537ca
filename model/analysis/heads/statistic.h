#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace headscope::analysis {

/// One number about a head. Each is a mean over rows unless it says otherwise; shares, confidence, monotony
/// and normalised entropy have no unit.
enum class Statistic {
    Entropy,           ///< bits (Clark et al. 2019, section 3.3, in nats there)
    NormalisedEntropy, ///< of the largest that the row's open keys allow, 0 to 1
    EffectiveKeys,     ///< 2^entropy
    Confidence,        ///< largest weight on text (Voita et al. 2019, section 4)
    Distance,          ///< tokens, self-attention: sum of weight x |key - query|
    Offset,            ///< tokens, self-attention: sum of weight x (key - query); below 0 looks back
    Diagonal,          ///< weight on the token itself, self-attention
    Previous,          ///< weight on the token before, of rows that have one; self-attention
    Next,              ///< weight on the token after, of rows that may see it; self-attention
    First,             ///< weight on the first token
    Last,        ///< weight on the last token that is no padding; not of a decoder, which hardly sees it
    End,         ///< weight on end tokens
    Start,       ///< weight on start tokens
    Punctuation, ///< weight on punctuation
    Sink,        ///< weight on the one key, whatever its token, that receives most: largest mean of a column
    SameToken,   ///< weight on the same token elsewhere, of rows that have one; self-attention
    ScaledDiagonal, ///< weight near the diagonal of the rectangle (scaledDiagonalWidth), cross-attention
    Monotony,       ///< rank correlation of a row with the mean position it looks at, cross-attention
};

inline constexpr std::size_t statisticCount = static_cast<std::size_t>(Statistic::Monotony) + 1;

/// The numbers that a statistic can have; nothing where there is no end.
struct StatisticRange {
    std::optional<double> lowest = 0;
    std::optional<double> highest;
};
StatisticRange rangeOf(Statistic statistic);

/// "normalised_entropy": the key in results.
std::string_view name(Statistic statistic);

/// "of max": the title of a narrow column.
std::string_view shortName(Statistic statistic);

/// A value for every statistic; nothing where it does not apply to the head or the sentence.
class StatisticValues {
  public:
    std::optional<double>& operator[](Statistic statistic) {
        return values_[static_cast<std::size_t>(statistic)];
    }
    const std::optional<double>& operator[](Statistic statistic) const {
        return values_[static_cast<std::size_t>(statistic)];
    }
    friend bool operator==(const StatisticValues&, const StatisticValues&) = default;

  private:
    std::array<std::optional<double>, statisticCount> values_{};
};

/// Every statistic once, in order.
constexpr std::array<Statistic, statisticCount> allStatistics() {
    std::array<Statistic, statisticCount> all{};
    for (std::size_t i = 0; i < statisticCount; ++i)
        all[i] = static_cast<Statistic>(i);
    return all;
}

} // namespace headscope::analysis

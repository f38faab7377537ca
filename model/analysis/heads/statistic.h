#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace headscope::analysis {

/// A statistic of a head: a mean over rows unless stated otherwise. Shares of weight, confidence, monotony
/// and normalised entropy have no unit.
enum class Statistic {
    Entropy,           ///< bits (Clark et al. 2019, section 3.3, in nats)
    NormalisedEntropy, ///< entropy divided by that of uniform attention over the allowed keys, 0 to 1
    EffectiveKeys,     ///< 2^entropy
    Confidence,        ///< largest weight on text (Voita et al. 2019, section 4)
    Distance,          ///< tokens, self-attention: sum of weight x |key - query|
    Offset,            ///< tokens, self-attention: sum of weight x (key - query); below 0: to earlier tokens
    Diagonal,          ///< weight on the token itself, self-attention
    Previous,          ///< weight on the previous token, over rows that have one; self-attention
    Next,              ///< weight on the next token, over rows where it is allowed; self-attention
    First,             ///< weight on the first token
    Last,              ///< weight on the last real token; not for decoders, where few rows may attend to it
    End,               ///< weight on end tokens
    Start,             ///< weight on start tokens
    Punctuation,       ///< weight on punctuation
    Sink,              ///< largest column mean: weight on the key, of any token, that receives most
    SameToken,         ///< weight on other occurrences of the token, over rows that have one; self-attention
    ScaledDiagonal,    ///< weight near the diagonal of the rectangle (scaledDiagonalWidth), cross-attention
    Monotony,          ///< rank correlation of a row with the mean position it attends to, cross-attention
    DuplicateToken, ///< weight on earlier occurrences of the token, over rows that have one; self-attention
    /// Weight on the tokens that followed earlier occurrences of the token, over rows that have one
    /// (heads after Olsson et al. 2022); self-attention. The token itself is no such token.
    Induction,
    FirstReadsSecond, ///< weight on the second text of a pair in rows of the first (trace::Run::secondText)
    SecondReadsFirst, ///< the reverse
};

inline constexpr std::size_t statisticCount = static_cast<std::size_t>(Statistic::SecondReadsFirst) + 1;

/// The range of a statistic; empty where it is unbounded.
struct StatisticRange {
    std::optional<double> lowest = 0;
    std::optional<double> highest;
};
StatisticRange rangeOf(Statistic statistic);

/// The key in exported results, such as "normalised_entropy".
std::string_view name(Statistic statistic);

/// The title of a narrow column, such as "of max".
std::string_view shortName(Statistic statistic);

/// A value for every statistic; empty if it does not apply to the head or sentence.
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

constexpr std::array<Statistic, statisticCount> allStatistics() {
    std::array<Statistic, statisticCount> all{};
    for (std::size_t i = 0; i < statisticCount; ++i)
        all[i] = static_cast<Statistic>(i);
    return all;
}

} // namespace headscope::analysis

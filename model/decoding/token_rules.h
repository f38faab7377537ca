#pragma once

#include "model/trace/decoding.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace headscope::decoding {

/// The value of a token that may not come.
inline constexpr double impossible = -std::numeric_limits<double>::infinity();

/// Throws trace::Refusal, naming all at once, where values make no sense or exclude each other.
void refuseImpossible(const trace::Decoding& decoding);

/// Where a search begins and how far it may go.
struct SearchStart {
    std::vector<std::int64_t> fed; ///< the start token and what is forced after it
    std::optional<std::int64_t> end;
    int newTokens = 0;        ///< at most
    bool mayContinue = false; ///< the last new token is not the last for good: no end is forced on it
};

/// What may come next, besides what the model makes of it: minimum length, repetition, and the rules of the
/// model's own folder, in the order in which `generate()` applies them.
class TokenRules {
  public:
    /// `decoding` must outlive it.
    TokenRules(const trace::Decoding& decoding, const SearchStart& start);

    /// The values that tokens are ranked and summed by, [vocabulary]: log-probabilities, `impossible` where a
    /// rule or a NaN forbids the token. They sum to one only where the folder wants them renormalised.
    std::vector<double> apply(std::span<const float> logProbabilities,
                              std::span<const std::int64_t> fed) const;

  private:
    void forbidRepetition(std::span<const std::int64_t> fed, std::vector<double>& values) const;
    void forbidRuns(std::span<const std::int64_t> fed, std::vector<double>& values) const;

    const trace::Decoding& decoding_;
    std::optional<std::int64_t> end_;
    std::optional<std::size_t> forcedAt_; ///< how many tokens were fed where the end is forced
};

/// The most probable token, the lower id of equal ones; nothing if none is possible.
std::optional<std::int64_t> mostProbable(std::span<const double> values);

} // namespace headscope::decoding

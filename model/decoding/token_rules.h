#pragma once

#include "model/trace/decoding.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace headscope::decoding {

/// Value of a forbidden token.
inline constexpr double impossible = -std::numeric_limits<double>::infinity();

/// Throws trace::Refusal that lists all invalid or conflicting values.
void refuseImpossible(const trace::Decoding& decoding);

/// Start and limits of a search.
struct SearchStart {
    std::vector<std::int64_t> fed;  ///< start token or prompt, and forced tokens
    std::size_t startTokens = 1;    ///< tokens of `fed` that the target begins after
    std::vector<std::int64_t> ends; ///< each of them ends a hypothesis
    int newTokens = 0;              ///< maximum
    bool mayContinue = false; ///< more tokens may be requested later, so no end token is forced at the limit
};

/// Restrictions on the next token: minimum length, repetition, and the rules of the model's folder, in the
/// order in which `generate()` of Hugging Face's transformers applies them.
class TokenRules {
  public:
    /// `decoding` must outlive it.
    TokenRules(const trace::Decoding& decoding, const SearchStart& start);

    /// Returns the values by which tokens are ranked and which are summed up, [vocabulary]:
    /// log-probabilities, or `impossible` if a rule or a NaN excludes the token. They sum to one as
    /// probabilities only if Decoding::renormalise is set or no token is excluded. A repetition penalty
    /// applies to log-probability + `logNormalizer`: to logits if that is the logarithm of the sum of their
    /// exponentials.
    std::vector<double> apply(std::span<const float> logProbabilities, std::span<const std::int64_t> fed,
                              double logNormalizer = 0) const;

  private:
    void penaliseRepetition(std::span<const std::int64_t> fed, double logNormalizer,
                            std::vector<double>& values) const;
    void forbidRepetition(std::span<const std::int64_t> fed, std::vector<double>& values) const;
    void forbidRuns(std::span<const std::int64_t> fed, std::vector<double>& values) const;

    const trace::Decoding& decoding_;
    std::vector<std::int64_t> ends_;
    std::size_t startTokens_;
    std::optional<std::size_t> forcedAt_; ///< number of fed tokens at which the end token is forced
    std::size_t suppressedFirstAt_;       ///< the same for Decoding::suppressedFirst
};

/// Returns the most probable token, on ties the lower id; nullopt if none is possible.
std::optional<std::int64_t> mostProbable(std::span<const double> values);

} // namespace headscope::decoding

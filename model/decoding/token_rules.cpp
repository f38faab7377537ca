#include "model/decoding/token_rules.h"

#include "model/trace/refusal.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace headscope::decoding {

namespace {

void forbid(std::int64_t token, std::vector<double>& values) {
    if (token >= 0 && token < static_cast<std::int64_t>(values.size()))
        values[token] = impossible;
}

void forbid(const std::vector<std::int64_t>& tokens, std::vector<double>& values) {
    for (const auto token : tokens)
        forbid(token, values);
}

/// Makes a token the only possible one.
void force(std::int64_t token, std::vector<double>& values) {
    std::fill(values.begin(), values.end(), impossible);
    values.at(token) = 0;
}

void renormalise(std::vector<double>& values) {
    const double largest = *std::max_element(values.begin(), values.end());
    if (largest == impossible)
        return;
    double sum = 0;
    for (const double value : values)
        sum += std::exp(value - largest);
    const double logSum = largest + std::log(sum);
    for (double& value : values)
        value -= logSum;
}

} // namespace

void refuseImpossible(const trace::Decoding& decoding) {
    std::string expected;
    std::string found;
    const auto require = [&](bool holds, const std::string& rule, const std::string& value) {
        if (holds)
            return;
        expected += (expected.empty() ? "" : "; ") + rule;
        found += (found.empty() ? "" : "; ") + value;
    };
    const auto named = [](const char* name, auto value) { return name + (" " + std::to_string(value)); };
    require(decoding.beam >= 1, "at least one hypothesis", named("a beam of", decoding.beam));
    require(!decoding.sample || decoding.beam == 1, "sampling or a beam, not both",
            named("sampling and a beam of", decoding.beam));
    require(std::isfinite(decoding.lengthPenalty), "a length penalty that is a number",
            named("length penalty", decoding.lengthPenalty));
    require(decoding.temperature > 0 && std::isfinite(decoding.temperature), "a temperature above 0",
            named("temperature", decoding.temperature));
    require(decoding.topP > 0 && decoding.topP <= 1, "a top-p above 0, up to 1",
            named("top-p", decoding.topP));
    require(decoding.topK >= 0 && decoding.minimumLength >= 0 && decoding.noRepeat >= 0,
            "no negative top-k, minimum length or repetition length",
            named("top-k", decoding.topK) + named(", minimum length", decoding.minimumLength) +
                named(", repetition length", decoding.noRepeat));
    if (!found.empty())
        throw trace::Refusal({.what = "The sentence cannot be decoded like this",
                              .where = "the decoding options",
                              .expected = expected,
                              .found = found,
                              .wayOut = "change these options"});
}

TokenRules::TokenRules(const trace::Decoding& decoding, const SearchStart& start)
    : decoding_(decoding), ends_(start.ends), startTokens_(start.startTokens),
      suppressedFirstAt_(start.startTokens) {
    if (decoding.forcedFirst && startTokens_ == 1)
        ++suppressedFirstAt_;
    if (decoding.forcedEnd && !start.mayContinue && start.newTokens > 0)
        forcedAt_ = start.fed.size() + start.newTokens - 1;
}

std::vector<double> TokenRules::apply(std::span<const float> logProbabilities,
                                      std::span<const std::int64_t> fed, double logNormalizer) const {
    std::vector<double> values(logProbabilities.begin(), logProbabilities.end());
    for (double& value : values)
        if (std::isnan(value))
            value = impossible;
    penaliseRepetition(fed, logNormalizer, values);
    forbidRepetition(fed, values);
    forbidRuns(fed, values);
    // The end token would be the last one of the target.
    const auto length = fed.size() + 1 - std::min(fed.size(), startTokens_);
    if (std::cmp_less(length, decoding_.minimumLength) || std::cmp_less(fed.size(), decoding_.minimumTotal))
        forbid(ends_, values);
    if (decoding_.forcedFirst && fed.size() == 1)
        force(*decoding_.forcedFirst, values);
    if (forcedAt_ && fed.size() >= *forcedAt_)
        force(*decoding_.forcedEnd, values);
    forbid(decoding_.suppressed, values);
    if (fed.size() == suppressedFirstAt_)
        forbid(decoding_.suppressedFirst, values);
    if (decoding_.renormalise)
        renormalise(values);
    return values;
}

/// Keskar et al. 2019, section 4.1, as transformers has it.
void TokenRules::penaliseRepetition(std::span<const std::int64_t> fed, double logNormalizer,
                                    std::vector<double>& values) const {
    const double penalty = decoding_.repetitionPenalty;
    if (penalty == 1)
        return;
    for (const auto token : std::set<std::int64_t>(fed.begin(), fed.end())) {
        auto& value = values.at(token);
        const double logit = value + logNormalizer;
        value = (logit < 0 ? logit * penalty : logit / penalty) - logNormalizer;
    }
}

/// Forbids tokens that would complete an n-gram that already occurred.
void TokenRules::forbidRepetition(std::span<const std::int64_t> fed, std::vector<double>& values) const {
    const std::size_t length = decoding_.noRepeat;
    if (length == 0 || fed.size() < length)
        return;
    const auto last = fed.last(length - 1);
    for (std::size_t at = 0; at + length <= fed.size(); ++at)
        if (std::ranges::equal(fed.subspan(at, length - 1), last))
            forbid(fed[at + length - 1], values);
}

void TokenRules::forbidRuns(std::span<const std::int64_t> fed, std::vector<double>& values) const {
    for (const auto& run : decoding_.forbidden) {
        const std::span before(run.data(), run.size() - 1);
        if (before.size() <= fed.size() && std::ranges::equal(fed.last(before.size()), before))
            forbid(run.back(), values);
    }
}

std::optional<std::int64_t> mostProbable(std::span<const double> values) {
    const auto best = std::max_element(values.begin(), values.end());
    if (best == values.end() || *best == impossible)
        return std::nullopt;
    return best - values.begin();
}

} // namespace headscope::decoding

#include "model/decoding/sampling.h"

#include "model/decoding/token_rules.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::decoding {

namespace {

/// Returns a number in [0, 1), the same on every machine. SplitMix64: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators" (2014).
double uniform(std::uint64_t seed, std::uint64_t position) {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
    const auto mix = [](std::uint64_t bits) {
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        return bits ^ (bits >> 31);
    };
    // Mix the seed first; otherwise neighbouring seeds would give the same draws shifted by one position.
    return static_cast<double>(mix(mix(seed + step) + (position + 1) * step) >> 11) * 0x1p-53;
}

struct Choice {
    std::int64_t token;
    double weight; ///< probability, not normalised
};

/// Returns the possible tokens, most probable first, on ties the lower id first.
std::vector<Choice> possibleTokens(std::span<const double> values, const trace::Decoding& decoding) {
    std::vector<Choice> choices;
    const double largest = values.empty() ? impossible : *std::max_element(values.begin(), values.end());
    for (std::size_t token = 0; token < values.size(); ++token)
        if (values[token] != impossible)
            choices.push_back({static_cast<std::int64_t>(token),
                               std::exp((values[token] - largest) / decoding.temperature)});
    const auto sorted =
        decoding.topK > 0 ? std::min<std::size_t>(decoding.topK, choices.size()) : choices.size();
    std::partial_sort(choices.begin(), choices.begin() + static_cast<std::ptrdiff_t>(sorted), choices.end(),
                      [](const Choice& a, const Choice& b) {
                          return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
                      });
    choices.resize(sorted);
    return choices;
}

double sum(const std::vector<Choice>& choices) {
    double sum = 0;
    for (const auto& choice : choices)
        sum += choice.weight;
    return sum;
}

/// Keeps the fewest choices that together reach `share` of the weight, at least one.
void keepNucleus(std::vector<Choice>& choices, double share) {
    const double wanted = share * sum(choices);
    double reached = 0;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if ((reached += choices[i].weight) >= wanted)
            return choices.resize(i + 1);
}

} // namespace

std::optional<std::int64_t> sampleToken(std::span<const double> values, const trace::Decoding& decoding,
                                        std::size_t position) {
    auto choices = possibleTokens(values, decoding);
    if (choices.empty())
        return std::nullopt;
    if (decoding.topP < 1)
        keepNucleus(choices, decoding.topP);
    double left = uniform(decoding.seed, position) * sum(choices);
    for (const auto& choice : choices)
        if ((left -= choice.weight) < 0)
            return choice.token;
    return choices.back().token; // reached only through rounding
}

} // namespace headscope::decoding

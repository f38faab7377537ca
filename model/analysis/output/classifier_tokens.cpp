#include "model/analysis/output/classifier_tokens.h"

#include <algorithm>
#include <cmath>

namespace headscope::analysis {

std::vector<TokenShare> tokenShares(const trace::ClassifierReading& reading, std::size_t chosenClass) {
    const auto& contributions = reading.contributions.at(chosenClass);
    std::vector<TokenShare> shares(contributions.size());
    for (std::size_t token = 0; token < shares.size(); ++token)
        shares[token].contribution = contributions[token];
    for (const std::size_t position : reading.positions)
        ++shares.at(position).features;
    return shares;
}

std::vector<WordEffect> wordEffects(const trace::ClassifierReading& reading, std::size_t chosenClass) {
    const double whole = reading.logProbabilities.at(chosenClass);
    std::vector<WordEffect> effects;
    for (const auto& word : reading.leftOut) {
        const double without = word.logProbabilities.at(chosenClass);
        double contribution = 0;
        for (std::size_t token = word.firstToken; token < word.lastToken; ++token)
            contribution += reading.contributions.at(chosenClass).at(token);
        effects.push_back({.firstToken = word.firstToken,
                           .lastToken = word.lastToken,
                           .logProbabilityLost = whole - without,
                           .probabilityLost = std::exp(whole) - std::exp(without),
                           .probabilityWithout = std::exp(without),
                           .contribution = contribution});
    }
    return effects;
}

std::optional<WordsApart> wordsApart(const trace::ClassifierReading& reading, std::size_t chosenClass) {
    const auto words = wordEffects(reading, chosenClass);
    WordsApart apart;
    double lost = 0;
    for (std::size_t word = 0; word < words.size(); ++word) {
        if (words[word].contribution > apart.contribution) {
            apart.added = word;
            apart.contribution = words[word].contribution;
        }
        if (words[word].logProbabilityLost > lost) {
            apart.lost = word;
            lost = words[word].logProbabilityLost;
        }
    }
    return apart.contribution > 0 && apart.lost != apart.added ? std::optional(apart) : std::nullopt;
}

std::optional<std::size_t> tellingToken(const trace::ClassifierReading& reading, std::size_t chosenClass) {
    const auto words = wordEffects(reading, chosenClass);
    const auto most = std::ranges::max_element(words, {}, &WordEffect::logProbabilityLost);
    if (most != words.end() && most->logProbabilityLost > 0)
        return most->firstToken;
    const auto& given = reading.contributions.at(chosenClass);
    return given.empty() ? std::nullopt
                         : std::optional<std::size_t>(std::ranges::max_element(given) - given.begin());
}

std::size_t likeliestClass(const std::vector<double>& logProbabilities) {
    return std::ranges::max_element(logProbabilities) - logProbabilities.begin();
}

} // namespace headscope::analysis

#pragma once

#include "model/trace/classifier_reading.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// The contribution of one token to a classifier with max pooling.
struct TokenShare {
    std::size_t features = 0; ///< number of features whose maximum is at this token
    double contribution = 0;  ///< of these features to the class's logit
    friend bool operator==(const TokenShare&, const TokenShare&) = default;
};

/// Returns the shares of all tokens, [S]; contributions plus the class's bias sum to its logit.
std::vector<TokenShare> tokenShares(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// Loss of a class when the sentence is read without one word (Li et al. 2016).
struct WordEffect {
    std::size_t firstToken = 0;
    std::size_t lastToken = 0;     ///< one past the last token
    double logProbabilityLost = 0; ///< above 0: the word supports the class
    double probabilityLost = 0;
    double probabilityWithout = 0;
    double contribution = 0; ///< of its tokens to the class's logit
};

/// One per word, in order of the sentence.
std::vector<WordEffect> wordEffects(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// The most important word by two measures that disagree. Words are indices into wordEffects().
struct WordsApart {
    std::size_t added = 0;           ///< the word with the largest contribution to the logit
    double contribution = 0;         ///< of its tokens
    std::optional<std::size_t> lost; ///< the word whose removal costs the class most; empty if
                                     ///< no removal lowers its log-probability
    friend bool operator==(const WordsApart&, const WordsApart&) = default;
};

/// Empty if both measures select the same word, or no word has a positive contribution.
std::optional<WordsApart> wordsApart(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// Returns the token that explains the class best: the first one of the word that it loses most without, or
/// if it loses nothing without any, the one with the largest contribution. Empty without tokens.
std::optional<std::size_t> tellingToken(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// Returns the most probable class; the first of equal ones.
std::size_t likeliestClass(const std::vector<double>& logProbabilities);

} // namespace headscope::analysis

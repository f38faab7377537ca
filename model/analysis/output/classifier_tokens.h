#pragma once

#include "model/trace/classifier_reading.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::analysis {

/// What one token gave to a classifier that takes the largest value of each feature.
struct TokenShare {
    std::size_t features = 0; ///< whose largest value it gave
    double contribution = 0;  ///< of these, to the class's logit
    friend bool operator==(const TokenShare&, const TokenShare&) = default;
};

/// Of every token, [S]; the contributions and the class's bias sum to its logit.
std::vector<TokenShare> tokenShares(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// What a class loses when one word is left out and the sentence read again (Li et al. 2016).
struct WordEffect {
    std::size_t firstToken = 0;
    std::size_t lastToken = 0;     ///< behind the last one
    double logProbabilityLost = 0; ///< above 0: the word spoke for the class
    double probabilityLost = 0;
    double probabilityWithout = 0;
};

/// One a word, in reading order.
std::vector<WordEffect> wordEffects(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// Where two ways to say which word matters most do not name the same word.
struct WordsApart {
    std::size_t added = 0;           ///< the word that adds most to the logit, in wordEffects()
    double contribution = 0;         ///< of its tokens
    std::optional<std::size_t> lost; ///< the word that the class loses most without; nothing where
                                     ///< it loses without none
    friend bool operator==(const WordsApart&, const WordsApart&) = default;
};

/// Nothing where both name the same word, or no word adds anything.
std::optional<WordsApart> wordsApart(const trace::ClassifierReading& reading, std::size_t chosenClass);

/// The most probable class; of equal ones the first.
std::size_t likeliestClass(const std::vector<double>& logProbabilities);

} // namespace headscope::analysis

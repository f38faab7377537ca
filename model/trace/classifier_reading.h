#pragma once

#include "model/trace/request.h"

#include <cstddef>
#include <vector>

namespace headscope::trace {

/// The same sentence read again without one of its words (Li et al. 2016). Later words move up: their
/// positions change too.
struct LeftOut {
    std::size_t firstToken = 0;           ///< of the source
    std::size_t lastToken = 0;            ///< behind the last one
    std::vector<double> logProbabilities; ///< [classes] read again without the word
};

/// How a classifier over the largest value of each feature comes to its answer: logit = bias + sum over
/// features of weight times the feature's largest value, which one position gave.
struct ClassifierReading {
    Request request;
    std::vector<double> logits;           ///< [classes]
    std::vector<double> logProbabilities; ///< [classes]
    std::vector<double> bias;             ///< [classes]
    std::vector<std::size_t> positions;   ///< [d_model] which token gave the feature; the first of equal ones
    std::vector<double> features;         ///< [d_model] the largest values
    std::vector<std::vector<double>> weights;       ///< [classes][d_model] of the classifier
    std::vector<std::vector<double>> contributions; ///< [classes][S] of all features that a token gave; they
                                                    ///< and the bias sum to the logit
    std::vector<LeftOut> leftOut;                   ///< one a word; special tokens are no words. None where
                                                    ///< changes name places (namesPlaces())
};

/// True if one of them means a place in the sentence: a cell, a row, or another sentence's output row by row.
/// Where a word is left out, the same places mean other words.
bool namesPlaces(const std::vector<Intervention>& interventions);

} // namespace headscope::trace

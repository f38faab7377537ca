#pragma once

#include "model/trace/request.h"

#include <cstddef>
#include <vector>

namespace headscope::trace {

/// Result of classifying the sentence again without one of its words (Li et al. 2016). Later words move up,
/// so their positions change too.
struct LeftOut {
    std::size_t firstToken = 0;           ///< index of the word's first source token
    std::size_t lastToken = 0;            ///< one past the word's last source token
    std::vector<double> logProbabilities; ///< [classes] without the word
};

/// How a classifier with max-pooling over positions arrives at its answer: logit = bias + sum over features
/// of weight times the maximum of the feature, which a single position attains.
struct ClassifierReading {
    Request request;
    std::vector<double> logits;               ///< [classes]
    std::vector<double> logProbabilities;     ///< [classes]
    std::vector<double> bias;                 ///< [classes]
    std::vector<std::size_t> positions;       ///< [d_model] first token at which the feature is largest
    std::vector<double> features;             ///< [d_model] maximum of each feature over the tokens
    std::vector<std::vector<double>> weights; ///< [classes][d_model] of the classifier
    /// [classes][S] Contribution of each token: the sum over the features whose maximum it holds.
    /// Contributions and bias sum to the logit.
    std::vector<std::vector<double>> contributions;
    /// One entry per word; special tokens are not words. Empty if namesPlaces() is true of the request's
    /// interventions.
    std::vector<LeftOut> leftOut;
};

/// Returns true if an intervention refers to a position in the sentence: a cell, a row, or the output on
/// another sentence row by row. Without a word, the same positions would refer to other words.
bool namesPlaces(const std::vector<Intervention>& interventions);

} // namespace headscope::trace

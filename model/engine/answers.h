#pragma once

#include "model/engine/open_model.h"
#include "model/trace/decode_tree.h"
#include "model/trace/run.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::engine {

/// What a model says of the output of the stack that it answers with, where a run has its answers: one row of
/// log-probabilities each. A model that predicts numbers has these in the place of log-probabilities.
class Answers {
  public:
    /// The run must outlive the object. Throws trace::Refusal if it has no answers.
    Answers(const OpenModel& model, const trace::Run& run);

    /// trace::Run::answers(); their ids are columns of values().
    const std::vector<trace::Token>& tokens() const { return tokens_; }
    const std::optional<trace::Token>& contrast() const { return run_.contrast; }
    /// Rows of the stack's output that the answers are read from, [answers] int64. Undefined: a single answer
    /// is read from the largest value of each feature, as are several numbers.
    const at::Tensor& rows() const { return rows_; }
    /// Rows of the head's output projection that give the answers, [answers] int64.
    const at::Tensor& outputs() const { return outputs_; }
    /// [rows, d_model] -> [answers, vocabulary, classes, labels, source tokens or numbers]
    at::Tensor values(const at::Tensor& output) const;
    /// Returns [answers] of values(): those of the answers, minus those of the contrast if there is one.
    at::Tensor quantity(const at::Tensor& values) const;
    /// Returns [answers]: the Kullback-Leibler divergence of the distributions, nats; the distance of
    /// numbers.
    at::Tensor divergence(const at::Tensor& original, const at::Tensor& other) const;
    /// Returns the best of one row of values(), or the number.
    std::vector<trace::Candidate> best(const at::Tensor& values, std::size_t answer) const;

    bool areNumbers() const { return model_.summary->numbers > 0; }
    bool isSpan() const { return model_.summary->tokenPrediction == trace::TokenPrediction::Span; }

  private:
    at::Tensor ofTokens(const at::Tensor& values) const; ///< [answers]

    const OpenModel& model_;
    const trace::Run& run_;
    std::vector<trace::Token> tokens_;
    at::Tensor rows_;
    at::Tensor outputs_;
};

} // namespace headscope::engine

#pragma once

#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/attention_record.h"
#include "model/trace/decode_tree.h"
#include "model/trace/request.h"
#include "model/trace/task.h"
#include "model/trace/token.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace headscope::engine {

/// Encoded source of a request. Computed once for all paths and for later requests on the same source. For a
/// decoder alone, `tokens` are the prompt, which is fed to the decoder, and all other members are empty: S is
/// 0.
struct EncodedSource {
    std::vector<trace::Token> tokens;            ///< [S]
    std::vector<trace::AttentionRecord> records; ///< one per layer
    trace::Matrix positions;                     ///< [S, d_model]; empty for embeddings
    trace::HeadStack residual;                   ///< [1 + sublayers, S, d_model], if recorded
    at::Tensor embedded;                         ///< [S, d_model], input of the first layer
    at::Tensor output;                           ///< [S, d_model]
    at::Tensor open;                             ///< [S] bool: true unless padding
    at::Tensor segments;                         ///< [S] int64; undefined without segment embeddings
    std::optional<trace::TokenIndex> second;     ///< as trace::Run::secondText
    // What the head on the encoder output predicts, as trace::Run has it.
    std::vector<float> classLogProbabilities;
    std::vector<float> numbers;
    trace::Matrix logProbabilities;
    std::map<std::size_t, std::vector<trace::Candidate>> maskCandidates;
    std::vector<float> replacedProbabilities;
    trace::Matrix spanLogProbabilities;

    std::int64_t length() const { return open.size(0); } ///< S
};

/// Throws trace::Refusal if the model cannot read the source; trace::Cancelled.
EncodedSource encodeSource(const OpenModel& model, const trace::Request& request,
                           const network::Interventions& interventions, const trace::Task& work);

/// Returns the tokens of a text, or of a pair, with those that the tokenizer or the settings put around them.
/// Throws trace::Refusal.
std::vector<trace::Token> readTokens(const OpenModel& model, const std::string& text,
                                     const std::optional<std::string>& second);

/// Throws trace::Refusal if the maps would need too much memory: `queries` x `keys` cells in every head of
/// `layers` layers.
void refuseTooLong(std::int64_t queries, std::int64_t keys, std::int64_t heads, std::int64_t layers);

} // namespace headscope::engine

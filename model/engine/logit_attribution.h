#pragma once

#include "model/engine/answers.h"
#include "model/engine/open_model.h"
#include "model/network/forward_observer.h"
#include "model/network/intervention.h"
#include "model/trace/lens.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine {

/// Residual stream of one pass through a stack, and what was written into it.
struct ResidualStream {
    network::Stack stack = network::Stack::Decoder;
    std::vector<at::Tensor> residuals; ///< after the embedding, then after each sublayer: [rows, d_model]
    std::vector<at::Tensor> added;     ///< by each sublayer, before its factor: [rows, d_model]
    std::map<trace::AttentionSite, at::Tensor> heads; ///< their outputs, [heads, rows, d_k]
    at::Tensor embedded;  ///< word and positional vectors, or the vectors that were given: [rows, width]
    at::Tensor positions; ///< positional vectors, [rows, width]
    const network::TokenEmbedding* embedding = nullptr; ///< null: vectors were given
    const network::Interventions* interventions = nullptr;

    /// Output of the stack after the final norm, if there is one, if the stream ended with `residual`.
    at::Tensor output(const network::Transformer& network, const at::Tensor& residual) const;
    /// The sublayers, in the order in which the stream passes them.
    std::vector<trace::SublayerAddress> sublayers(const network::NetworkConfig& config) const;
};

/// Returns why the logits of a model cannot be split into parts; empty if they can.
std::string whyNoAttribution(const network::NetworkConfig& config);

/// Splits the logit of each answer into parts, or its number.
std::vector<trace::LogitAttribution> attributeLogits(const OpenModel& model, const ResidualStream& stream,
                                                     const Answers& answers);

} // namespace headscope::engine

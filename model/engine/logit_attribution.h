#pragma once

#include "model/engine/open_model.h"
#include "model/engine/run_recorder.h"
#include "model/network/intervention.h"
#include "model/trace/lens.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::engine {

/// Residual stream and head outputs of one decoder pass.
struct DecoderStream {
    std::vector<at::Tensor> residuals; ///< after the embedding, then after each sublayer: [T, d_model]
    std::vector<at::Tensor> self;      ///< one per layer: outputs of the heads, [heads, T, d_k]
    std::vector<at::Tensor> cross;     ///< the same for cross-attention
    at::Tensor positions;              ///< [T, d_model]
    const network::Interventions* interventions = nullptr;
};

/// Returns why the logits of a model cannot be split into parts; empty if they can.
std::string whyNoAttribution(const network::NetworkConfig& config);

/// Splits the logit of one token per step into parts. `tokens` are the chosen tokens, [T].
std::vector<trace::LogitAttribution> attributeLogits(const OpenModel& model, const DecoderStream& stream,
                                                     const std::vector<trace::Token>& tokens,
                                                     const std::optional<trace::Token>& contrast);

} // namespace headscope::engine

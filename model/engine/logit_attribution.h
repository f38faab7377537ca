#pragma once

#include "model/engine/open_model.h"
#include "model/engine/run_recorder.h"
#include "model/network/intervention.h"
#include "model/trace/lens.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::engine {

/// What a pass through the decoder left in the residual stream.
struct DecoderStream {
    std::vector<at::Tensor> residuals; ///< embedding, then after each sublayer: [T, d_model]
    std::vector<at::Tensor> self;      ///< one a layer: the heads' outputs, [heads, T, d_k]
    std::vector<at::Tensor> cross;     ///< the same of cross-attention
    at::Tensor positions;              ///< [T, d_model]
    const network::Interventions* interventions = nullptr;
};

/// Why the logits of a model cannot be split into parts; empty where they can.
std::string whyNoAttribution(const network::NetworkConfig& config);

/// The parts of one token's logit at each step, [T]. `tokens` are the chosen ones.
std::vector<trace::LogitAttribution> attributeLogits(const OpenModel& model, const DecoderStream& stream,
                                                     const std::vector<trace::Token>& tokens,
                                                     const std::optional<trace::Token>& contrast);

} // namespace headscope::engine

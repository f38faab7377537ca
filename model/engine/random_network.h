#pragma once

#include "model/network/transformer.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace headscope::engine {

/// Random weights, and what a refusal says where there is no memory for them.
struct RandomWeights {
    std::uint64_t seed = 0;
    std::string where;
    std::string wayOut;
};

/// A network of random weights (network::randomise). Throws trace::Refusal if it needs more memory than there
/// is, before any is taken; trace::Cancelled.
std::unique_ptr<network::Transformer> makeRandomNetwork(const network::NetworkConfig& config,
                                                        const RandomWeights& weights, std::stop_token stop);

} // namespace headscope::engine

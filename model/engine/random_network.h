#pragma once

#include "model/network/transformer.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace headscope::engine {

/// Seed of random weights, and texts for the refusal if memory is insufficient.
struct RandomWeights {
    std::uint64_t seed = 0;
    std::string where;
    std::string wayOut;
};

/// Returns a network with random weights (network::randomise()). Throws trace::Refusal if it needs more
/// memory than available, before allocating any; trace::Cancelled.
std::unique_ptr<network::Transformer> makeRandomNetwork(const network::NetworkConfig& config,
                                                        const RandomWeights& weights, std::stop_token stop);

} // namespace headscope::engine

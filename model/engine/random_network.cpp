#include "model/engine/random_network.h"

#include "model/engine/run_memory.h"
#include "model/files/available_memory.h"
#include "model/network/randomise.h"

#include <utility>

namespace headscope::engine {

std::unique_ptr<network::Transformer> makeRandomNetwork(const network::NetworkConfig& config,
                                                        const RandomWeights& weights, std::stop_token stop) {
    refuseTooLarge(network::Transformer::memoryNeeded(config),
                   {.where = weights.where, .wayOut = weights.wayOut}, files::availableMemory());
    auto network = std::make_unique<network::Transformer>(config);
    network::randomise(*network, weights.seed, std::move(stop));
    return network;
}

} // namespace headscope::engine

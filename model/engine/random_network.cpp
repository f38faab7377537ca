#include "model/engine/random_network.h"

#include "model/engine/run_memory.h"
#include "model/files/available_memory.h"
#include "model/network/randomise.h"

#include <ATen/ATen.h>

#include <map>
#include <utility>

namespace headscope::engine {

namespace {

void shareTensors(const network::Transformer& network, const checkpoint::Family& family) {
    std::map<std::string, at::Tensor> byName;
    for (const auto& [role, parameter] : network.parameters())
        if (const auto name = family.tensorName(role))
            if (const auto [known, isNew] = byName.emplace(*name, parameter); !isNew)
                parameter.copy_(known->second);
}

} // namespace

std::unique_ptr<network::Transformer> makeRandomNetwork(const network::NetworkConfig& config,
                                                        const checkpoint::Family& family,
                                                        const RandomWeights& weights, std::stop_token stop) {
    refuseTooLarge(config, {.where = weights.where, .wayOut = weights.wayOut}, files::availableMemory());
    auto network = std::make_unique<network::Transformer>(config);
    network::randomise(*network, weights.seed, std::move(stop));
    shareTensors(*network, family);
    return network;
}

} // namespace headscope::engine

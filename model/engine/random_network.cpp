#include "model/engine/random_network.h"

#include "model/network/randomise.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <utility>

namespace headscope::engine {

namespace {

/// In bytes, without what would have to be swapped out; infinite where the system does not say.
double availableMemory() {
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    double kilobytes = 0;
    while (file >> key >> kilobytes && std::getline(file, unit))
        if (key == "MemAvailable:")
            return kilobytes * 1024;
    return std::numeric_limits<double>::infinity();
}

std::string megabytes(double bytes) {
    constexpr double enough = 1e18; // whole numbers end somewhere
    return std::to_string(static_cast<std::int64_t>(std::min(bytes, enough) / 1e6)) + " MB";
}

void refuseTooLarge(const network::NetworkConfig& config, const RandomWeights& weights) {
    const double needed = network::Transformer::memoryNeeded(config);
    const double available = availableMemory();
    if (needed > available)
        throw trace::Refusal({.what = "The model does not fit into this computer's memory",
                              .where = weights.where,
                              .expected = "at most " + megabytes(available),
                              .found = megabytes(needed) + " of parameters and positions",
                              .wayOut = weights.wayOut});
}

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
    refuseTooLarge(config, weights);
    auto network = std::make_unique<network::Transformer>(config);
    network::randomise(*network, weights.seed, std::move(stop));
    shareTensors(*network, family);
    return network;
}

} // namespace headscope::engine

#pragma once

#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"

#include <span>
#include <string>

namespace headscope::checkpoint {

/// A property of a network that a setting alone decides: no tensor tells it.
struct ArchitectureFlag {
    const char* key;
    /// Sizes, heads and positions are in the configuration already. Throws trace::Refusal naming `key`.
    void (*read)(network::NetworkConfig& config, const Settings& settings);
};

/// All of them, in the order to read them in.
std::span<const ArchitectureFlag> architectureFlags();

/// The scheme that `key` names. Throws trace::Refusal.
network::PositionScheme choosePositions(const Settings& settings, const std::string& key);

/// What a scheme of positions needs beside its name: base and length where a formula gives vectors, base of a
/// rotation, buckets of distances.
std::span<const ArchitectureFlag> positionFlags(network::PositionScheme scheme);

/// How many positions are computed or made at most: some 256 MB of them.
std::int64_t mostPositions(const network::NetworkConfig& config);

} // namespace headscope::checkpoint

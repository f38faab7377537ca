#pragma once

#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"

#include <span>
#include <string>

namespace headscope::checkpoint {

/// A property of a network that is read from a setting because no tensor implies it.
struct ArchitectureFlag {
    const char* key;
    /// `config` already has sizes, heads and positions. Throws trace::Refusal naming `key`.
    void (*read)(network::NetworkConfig& config, const Settings& settings);
};

/// All flags, in the order in which they must be read.
std::span<const ArchitectureFlag> architectureFlags();

/// Reads a position scheme from the setting `key`. Throws trace::Refusal.
network::PositionScheme choosePositions(const Settings& settings, const std::string& key);

/// Returns the settings that a position scheme needs: base and maximum length of sinusoids, base and
/// scaling of a rotation, number of buckets and largest distance of relative positions.
std::span<const ArchitectureFlag> positionFlags(network::PositionScheme scheme);

/// Returns the largest permitted number of positions: a table of about 256 MB.
std::int64_t mostPositions(const network::NetworkConfig& config);

} // namespace headscope::checkpoint

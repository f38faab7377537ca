#pragma once

#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"

#include <optional>
#include <span>
#include <string>

namespace headscope::checkpoint {

enum class Stated { No, Yes };

/// A property of a network: the row of a table from which it is read, described and written.
struct ArchitectureProperty {
    const char* key; ///< of the setting
    /// Reads it from its setting. Null if tensors or other settings tell it. `config` already has sizes,
    /// heads and positions. Throws trace::Refusal naming `key`.
    void (*read)(network::NetworkConfig& config, const Settings& settings, const char* key) = nullptr;
    /// Says it, as its setting would; nothing if it is as usual or does not apply. Null: is never said.
    std::optional<std::string> (*text)(const network::NetworkConfig& config) = nullptr;
    /// Whether a folder that is written says it whatever its family implies (stateShape()).
    Stated stated = Stated::No;
};

/// All properties, in the order in which they are read and shown.
std::span<const ArchitectureProperty> architectureProperties();

/// Shortest text that reads back as the same number.
std::string exactly(double number);

/// Reads a position scheme from the setting `key`. Throws trace::Refusal.
network::PositionScheme choosePositions(const Settings& settings, const std::string& key);

/// Returns the settings that a position scheme needs: base and maximum length of sinusoids, base and
/// scaling of a rotation, number of buckets and largest distance of relative positions.
std::span<const ArchitectureProperty> positionFlags(network::PositionScheme scheme);

/// Experts of all layers together, each with tensors of its own.
inline constexpr std::int64_t mostExperts = 1 << 16;

/// Returns the largest permitted number of positions: a table of about 256 MB.
std::int64_t mostPositions(const network::NetworkConfig& config);

} // namespace headscope::checkpoint

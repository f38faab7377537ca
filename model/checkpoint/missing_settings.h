#pragma once

#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"
#include "model/trace/missing_settings.h"

#include <cstdint>
#include <vector>

namespace headscope::checkpoint {

/// Returns the settings to ask the user for when the sizes are known: heads, norm, activation and the ids of
/// start, end and padding, except those in `settings`. `queryRows` is heads x d_k.
std::vector<trace::MissingSetting> missingSettings(const network::NetworkConfig& sizes,
                                                   std::int64_t queryRows, const Settings& settings);

} // namespace headscope::checkpoint

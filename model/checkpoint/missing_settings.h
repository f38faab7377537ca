#pragma once

#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"
#include "model/trace/missing_settings.h"

#include <cstdint>
#include <vector>

namespace headscope::checkpoint {

/// What a person has to be asked about a network whose sizes are read: heads, norm, activation and the ids
/// of start, end and padding, as far as `settings` do not say them. `queryRows` is heads x d_k.
std::vector<trace::MissingSetting> missingSettings(const network::NetworkConfig& sizes,
                                                   std::int64_t queryRows, const Settings& settings);

} // namespace headscope::checkpoint

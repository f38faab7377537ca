#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"

#include <string>

namespace headscope::checkpoint {

/// Returns the network described by settings alone, without tensors. Required sizes: "encoder_layers",
/// "model_width", "heads" and "source_vocabulary_size" (0: no embedding). Defaults: decoder sizes equal the
/// encoder's, "feed_forward_width" is 4 model_width, "head_width" is model_width / heads, biases are those of
/// the family, embeddings are not tied. Throws one trace::Refusal that lists all settings that are missing,
/// invalid, or need tensors for which the family has no names.
network::NetworkConfig configureNetwork(const Family& family, const Settings& settings,
                                        const std::string& where);

/// The inverse: stores the settings from which configureNetwork() makes a network of the same shape.
void stateShape(Settings& settings, const network::NetworkConfig& config);

} // namespace headscope::checkpoint

#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"

#include <string>

namespace headscope::checkpoint {

/// The network that settings describe without any tensors. Asked for are "encoder_layers", "model_width",
/// "heads" and "source_vocabulary_size" (0: no embedding); the decoder is like the encoder,
/// "target_vocabulary_size" like the source's, "feed_forward_width" four times "model_width" and "head_width"
/// its part of it unless they are given. Biases are those the family has, embeddings are not tied. Throws
/// trace::Refusal that lists every setting that is missing or impossible, also where the family has no names
/// for what is wanted.
network::NetworkConfig configureNetwork(const Family& family, const Settings& settings,
                                        const std::string& where);

/// The other way round: sets what configureNetwork() needs to make a network of the same shape.
void stateShape(Settings& settings, const network::NetworkConfig& config);

} // namespace headscope::checkpoint

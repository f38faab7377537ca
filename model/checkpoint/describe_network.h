#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/settings.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/network/network_config.h"

#include <string>

namespace headscope::checkpoint {

/// The network that a file's tensors and settings describe: sizes, layers and ties from the tensors, the rest
/// from the settings. Throws trace::Refusal with everything that does not fit, trace::MissingSettings with
/// everything that has to be asked. `where` names the file.
network::NetworkConfig describeNetwork(const TensorLookup& tensors, const Family& family,
                                       const Settings& settings, const std::string& where);

} // namespace headscope::checkpoint

#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/settings.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/network/network_config.h"

#include <string>

namespace headscope::checkpoint {

/// Returns the network described by a file: sizes, layers and ties from the tensors, the rest from the
/// settings. Throws trace::Refusal for contradictions, trace::MissingSettings with all settings that the user
/// must supply. `where` names the file.
network::NetworkConfig describeNetwork(const TensorLookup& tensors, const Family& family,
                                       const Settings& settings, const std::string& where);

} // namespace headscope::checkpoint

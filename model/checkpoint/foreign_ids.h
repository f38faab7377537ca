#pragma once

#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Returns a sentence that says that a file's id is left out.
std::string outsideVocabulary(const std::string& key, std::int64_t id, std::int64_t vocabulary,
                              const std::string& origin);

/// Removes the ids of special tokens that lie outside the vocabulary: a configuration that was made for a
/// larger one may keep them. Returns a sentence for each. An id given on the command line stays.
std::vector<std::string> removeForeignIds(Settings& settings, const network::NetworkConfig& config);

} // namespace headscope::checkpoint

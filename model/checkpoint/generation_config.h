#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/network/network_config.h"
#include "model/trace/decoding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Decoding defaults of a model.
struct Generation {
    trace::Decoding decoding;
    std::vector<std::int64_t> ends;    ///< ids that end a target, beside those of the settings
    std::optional<std::int64_t> start; ///< id fed first, if the settings name none
    int newTokens = 60;
    bool samples = false; ///< the folder's programs sample by default; here sampling is chosen by the user
    std::string unused;   ///< options that are not supported, as "key: value, ..."
    std::vector<std::string> notes; ///< ids that were left out, in sentences for display
};

/// Reads generation_config.json (or config.json in older folders, which have no such file) with the defaults
/// of transformers' `generate()`, if the setting `generation` is `hugging-face`. Otherwise returns the
/// defaults of the command line. Sampling settings are read but not switched on. Ids outside the target
/// vocabulary are left out. Throws trace::Refusal.
Generation readGeneration(const ModelFolder& folder, const Settings& settings,
                          const network::NetworkConfig& config);

/// Returns the text of an equivalent generation_config.json.
std::string generationConfig(const Generation& generation);

} // namespace headscope::checkpoint

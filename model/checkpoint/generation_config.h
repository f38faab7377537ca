#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/trace/decoding.h"

#include <string>

namespace headscope::checkpoint {

/// Decoding defaults of a model.
struct Generation {
    trace::Decoding decoding;
    int newTokens = 60;
    std::string unused; ///< options that are not supported, as "key: value, ..."
};

/// Reads generation_config.json (or config.json in older folders, which have no such file) with the defaults
/// of transformers' `generate()`, if the setting `generation` is `hugging-face`. Otherwise returns the
/// defaults of the command line. Ids are checked against the size `vocabulary`. Throws trace::Refusal.
Generation readGeneration(const ModelFolder& folder, const Settings& settings, std::int64_t vocabulary);

/// Returns the text of an equivalent generation_config.json.
std::string generationConfig(const Generation& generation);

} // namespace headscope::checkpoint

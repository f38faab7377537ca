#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/trace/decoding.h"

#include <string>

namespace headscope::checkpoint {

/// How a model's folder wants it decoded.
struct Generation {
    trace::Decoding decoding;
    int newTokens = 60;
    std::string unused; ///< what it asks for that is not followed, as "key: value, ..."; empty: nothing
};

/// Where the setting `generation` is `hugging-face`, what generation_config.json says (config.json in folders
/// from before there was one), with the defaults of transformers' `generate()` for what it leaves out; else
/// the defaults of the command line. Ids are checked against the `vocabulary`. Throws trace::Refusal.
Generation readGeneration(const ModelFolder& folder, const Settings& settings, std::int64_t vocabulary);

/// The same as a generation_config.json.
std::string generationConfig(const Generation& generation);

} // namespace headscope::checkpoint

#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/generation_config.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/network/transformer.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// What is written beside the parameters.
struct ModelToSave {
    const network::Transformer& network;
    const Family& family;
    const Settings& settings;
    Generation generation;
    std::vector<TokenizerFile> tokenizerFiles;
    std::optional<std::filesystem::path> attribution;
    std::string samples; ///< sentences to begin with, one a line; empty: none
};

/// Makes the folder that a model with these files is to be written to. Throws trace::Refusal where it cannot
/// be written to, or holds files of something else: another model's tokenizer would be taken for this one's.
void prepareModelFolder(const std::vector<TokenizerFile>& tokenizerFiles,
                        const std::filesystem::path& folder);

/// Writes model.safetensors, config.json, where the model has one generation_config.json, and the tokenizer's
/// files into `folder`, which is created. config.json says all that configureNetwork() needs to make the same
/// network without the tensors. Tensors
/// keep the family's names. In half precision a positional table that a formula gives is left to the formula,
/// so that positions stay exact. Each file is replaced whole or not at all. Throws trace::Refusal;
/// trace::Cancelled between two tensors.
void saveModel(const ModelToSave& model, const std::filesystem::path& folder, bool halfPrecision,
               const std::stop_token& stop = {});

} // namespace headscope::checkpoint

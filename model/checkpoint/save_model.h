#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/generation_config.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/files/stored_tensor.h"
#include "model/network/transformer.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// A network and the files to save with it.
struct ModelToSave {
    const network::Transformer& network;
    const Family& family;
    const Settings& settings;
    Generation generation;
    std::vector<TokenizerFile> tokenizerFiles;
    std::optional<std::filesystem::path> attribution;
    std::string samples; ///< example sentences, one per line; may be empty
};

/// Creates the folder for a model with these files. Throws trace::Refusal if it is not writable or contains
/// other files: another model's tokenizer would be mistaken for this model's.
void prepareModelFolder(const std::vector<TokenizerFile>& tokenizerFiles,
                        const std::filesystem::path& folder);

/// Creates `folder` and writes model.safetensors, config.json, the tokenizer's files and, if the model has
/// them, generation_config.json, ATTRIBUTION.txt and samples.txt. config.json contains all settings from
/// which configureNetwork() makes the same network without tensors. Tensors keep the family's names. Matrices
/// are written as `matrices`, which is Float32, Float16 or BFloat16; with the latter two, a position table
/// that a formula reproduces is not stored but recomputed, so that positions stay exact. Each file is
/// replaced atomically. Throws trace::Refusal; throws trace::Cancelled between two tensors.
void saveModel(const ModelToSave& model, const std::filesystem::path& folder, files::ElementType matrices,
               const std::stop_token& stop = {});

} // namespace headscope::checkpoint

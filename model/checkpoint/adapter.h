#pragma once

#include "model/checkpoint/family.h"
#include "model/files/stored_tensor.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace headscope::checkpoint {

/// A folder of PEFT: a low-rank change of the matrices of another model, its base (Hu et al. 2021).
struct Adapter {
    std::filesystem::path folder;
    std::filesystem::path config; ///< adapter_config.json
    std::string base;             ///< what the configuration calls the base
    std::string task;             ///< such as "SEQ_CLS"; empty: not stated
    double alpha = 0;
    std::map<std::string, double> alphas; ///< of modules that have another one
    bool dividesByRoot = false;           ///< alpha / sqrt(rank) instead of alpha / rank
    bool isTransposed = false;            ///< the base stores its matrices transposed, as GPT-2 does
};

/// Returns the adapter that `weights` belong to; an empty value if the file is none of an adapter's. Throws
/// trace::Refusal for kinds of adapters that cannot be merged.
std::optional<Adapter> findAdapter(const std::filesystem::path& weights);

/// Returns the folder or file of the base: `stated`, or what the configuration calls it, as a path from here
/// or from the adapter's folder, as a folder beside the adapter's, or as a model in the cache of Hugging
/// Face's hub. Throws trace::Refusal if there is none.
std::filesystem::path baseOf(const Adapter& adapter, const std::optional<std::filesystem::path>& stated);

/// What merging changed.
struct Merged {
    files::TensorFile file; ///< the base's, with float32 tensors where it was changed
    std::string words;      ///< "LoRA of rank 8, scale 2, in 24 matrices: c_attn, c_proj"
};

/// Adds W + scale B A to the base's matrices, and takes whole tensors that the adapter has in their place.
/// `prefix` is that of the network in the base. Throws trace::Refusal if the adapter does not fit.
Merged merge(const Adapter& adapter, const files::TensorFile& tensors, files::TensorFile base,
             const Family& family, const std::string& prefix);

} // namespace headscope::checkpoint

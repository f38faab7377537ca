#pragma once

#include <string>
#include <vector>

#include "model/files/findings.h"
#include "model/files/torch/pickle_value.h"

namespace headscope::files {

struct NamedPickleTensor {
    std::string name;
    PickleId tensor = 0; ///< a PickleTensor
};

struct PickledTensors {
    std::vector<NamedPickleTensor> tensors; ///< names are unique
    Findings findings;                      ///< tensors that cannot be read, and why
};

/// Finds the tensors of a checkpoint: in a dictionary of tensors, in one nested under `state_dict`,
/// `model_state_dict`, `model`, `net` or `params`, or in a saved module with its parameters, buffers and
/// submodules. The prefixes `module.` and `_orig_mod.` are removed if all names have them. Throws
/// trace::Refusal if none of these is found.
PickledTensors findTensors(const Pickle& pickle, const std::string& where);

} // namespace headscope::files

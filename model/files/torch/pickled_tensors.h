#pragma once

#include <string>
#include <vector>

#include "model/files/findings.h"
#include "model/files/torch/pickle_value.h"

namespace headscope::files {

struct NamedPickleTensor {
    std::string name;
    PickleId tensor = 0; ///< of a PickleTensor
};

struct PickledTensors {
    std::vector<NamedPickleTensor> tensors; ///< each name once
    Findings findings;                      ///< names whose tensors cannot be reached, and why
};

/// The tensors of a checkpoint under their names: of a dictionary of tensors, of one nested in it under
/// `state_dict`, `model_state_dict`, `model`, `net` or `params`, or of a saved module with its parameters,
/// buffers and submodules. The prefixes `module.` and `_orig_mod.` are taken off where all names have them.
/// Throws trace::Refusal if there is nothing of the kind.
PickledTensors findTensors(const Pickle& pickle, const std::string& where);

} // namespace headscope::files

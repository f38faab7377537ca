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

/// Finds the tensors of a checkpoint: in a dictionary of tensors, in one nested under a usual key such as
/// `state_dict` or `model` or else the only one, or in a saved module with its parameters, buffers and
/// submodules. A `generator` beside the dictionary is a part of the network. Throws trace::Refusal if none of
/// these is found.
PickledTensors findTensors(const Pickle& pickle, const std::string& where);

} // namespace headscope::files

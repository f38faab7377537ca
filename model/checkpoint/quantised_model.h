#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/model_folder.h"

namespace headscope::checkpoint {

/// Throws trace::Refusal, which names the method, if the folder's configuration says that the weights are
/// quantised.
void refuseQuantised(const ModelFolder& folder);

/// The same if the names of the tensors tell it.
void refuseQuantised(const TensorShapes& tensors, const std::string& where);

} // namespace headscope::checkpoint

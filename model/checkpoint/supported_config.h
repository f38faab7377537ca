#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/model_folder.h"

namespace headscope::checkpoint {

/// Throws trace::Refusal if the folder's config.json describes a variant of the family that the network
/// cannot compute (Family::architectures, Family::required).
void refuseUnsupported(const ModelFolder& folder, const Family& family);

} // namespace headscope::checkpoint

#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"

#include <string>

namespace headscope::checkpoint {

/// Throws trace::Refusal if the folder's configuration, or what the checkpoint holds beside its tensors
/// (files::TensorFile::values), describes a variant of the family that the network cannot compute
/// (Family::architectures, Family::required). An encoder alone may have any head.
void refuseUnsupported(const ModelFolder& folder, const Family& family,
                       const std::map<std::string, std::string>& values = {});

/// Name of the class that the model is of, such as "BertForTokenClassification"; empty if it is not stated.
std::string modelClass(const Settings& settings);

/// The same if its head is not among Family::architectures, so that an encoder alone is opened without it;
/// else empty.
std::string otherHead(const Family& family, const Settings& settings);

} // namespace headscope::checkpoint

#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/network/transformer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Copies every parameter of `network` from a file, converted to float32, and returns the names of unused
/// tensors. Throws one trace::Refusal that lists all tensors that are missing, have the wrong shape or type,
/// or contain NaN or infinity. Throws trace::Cancelled within some milliseconds of `stop`.
std::vector<std::string> loadParameters(const network::Transformer& network, const TensorLookup& tensors,
                                        const Family& family, const std::string& where,
                                        std::stop_token stop = {});

} // namespace headscope::checkpoint

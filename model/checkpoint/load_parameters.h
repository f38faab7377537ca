#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/network/transformer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope::checkpoint {

/// Copies every parameter of `network` out of a file, widened to float32. Throws trace::Refusal that lists
/// all tensors at once that are missing, misshapen, or not finite, trace::Cancelled within some milliseconds.
/// Returns the names of the tensors that were not used.
std::vector<std::string> loadParameters(const network::Transformer& network, const TensorLookup& tensors,
                                        const Family& family, const std::string& where,
                                        std::stop_token stop = {});

} // namespace headscope::checkpoint

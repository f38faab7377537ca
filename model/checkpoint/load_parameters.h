#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/tensor_lookup.h"
#include "model/network/transformer.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::checkpoint {

struct LoadedNetwork {
    std::unique_ptr<network::Transformer> network;
    std::vector<std::string> unused; ///< names of tensors that the network has no use for
};

/// Returns the bytes that loadNetwork() allocates beside those of the file.
double memoryOfCopies(network::NetworkConfig config, const TensorLookup& tensors);

/// Builds a network over the tensors of a file. Matrices keep their type (also blocks) and share the file's
/// bytes, unless the file stores them transposed, interleaved per head or in float64; everything else is
/// copied to float32. Throws one trace::Refusal that lists all tensors that are missing, have the wrong shape
/// or type, or contain NaN or infinity. Throws trace::Cancelled within some milliseconds of `stop`.
LoadedNetwork loadNetwork(const network::NetworkConfig& config, const TensorLookup& tensors,
                          const Family& family, const std::string& where, std::stop_token stop = {});

} // namespace headscope::checkpoint

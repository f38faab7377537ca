#pragma once

#include "model/network/transformer.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope::training {

/// A matrix or a vector inside of one long row of parameters; `rows` 0: there is none.
struct Slice {
    std::int64_t begin = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0; ///< 0: a vector

    std::int64_t size() const { return columns > 0 ? rows * columns : rows; }
    explicit operator bool() const { return rows > 0; }
    /// The part of `flat` that it names, sharing its memory.
    at::Tensor of(const at::Tensor& flat) const;
};

/// Where each of a network's parameters lies in one long row, in the order that the network lists them in: so
/// fused ones (query, key and value) follow each other, and an optimizer walks over all in one loop.
class FlatParameters {
  public:
    explicit FlatParameters(const network::Transformer& network);

    std::int64_t size() const { return size_; }
    /// An empty slice where there is no such role.
    Slice at(const std::string& role) const;
    /// Several of one shape that follow each other, as one.
    Slice fused(const std::string& first, std::int64_t count) const;
    const std::map<std::string, Slice>& slices() const { return slices_; }

    /// Copies between the row [size()] and the network's own tensors.
    void read(const network::Transformer& network, at::Tensor flat) const;
    void write(const at::Tensor& flat, const network::Transformer& network) const;

  private:
    std::int64_t size_ = 0;
    std::map<std::string, Slice> slices_;
};

/// Random parameters to start training from: matrices Xavier uniform (Glorot & Bengio 2010, equation 16),
/// embeddings and learned positions normal, gains one, biases zero. The deviation is d_model^-1/2, and of
/// embeddings one where nothing scales them before positions are added, which would drown them, and no
/// generator shares them.
void initialise(const FlatParameters& parameters, at::Tensor flat, const network::NetworkConfig& network,
                std::uint64_t seed);

} // namespace headscope::training

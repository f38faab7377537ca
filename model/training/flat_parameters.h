#pragma once

#include "model/network/transformer.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope::training {

/// A matrix or vector within one long row of parameters. `rows` 0: none.
struct Slice {
    std::int64_t begin = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0; ///< 0: a vector

    std::int64_t size() const { return columns > 0 ? rows * columns : rows; }
    explicit operator bool() const { return rows > 0; }
    /// Returns the rows from `first` on; an empty slice stays one.
    Slice from(std::int64_t first) const {
        return rows > 0 ? Slice{begin + first * columns, rows - first, columns} : *this;
    }
    /// Returns the slice's part of `flat`, sharing its memory.
    at::Tensor of(const at::Tensor& flat) const;
};

/// Positions of a network's parameters in one long row, in the order of the network's list. Fused parameters
/// (query, key and value) are therefore adjacent, and an optimizer processes all of them in one loop.
class FlatParameters {
  public:
    explicit FlatParameters(const network::Transformer& network);

    std::int64_t size() const { return size_; }
    /// Returns an empty slice if there is no such role.
    Slice at(const std::string& role) const;
    /// Returns several adjacent parameters of the same shape as one slice.
    Slice fused(const std::string& first, std::int64_t count) const;
    const std::map<std::string, Slice>& slices() const { return slices_; }

    /// Copy between the row [size()] and the network's tensors.
    void read(const network::Transformer& network, at::Tensor flat) const;
    void write(const at::Tensor& flat, const network::Transformer& network) const;

  private:
    std::int64_t size_ = 0;
    std::map<std::string, Slice> slices_;
};

/// Initialises parameters for training: matrices Xavier uniform (Glorot & Bengio 2010, equation 16),
/// embeddings and learned positions normal, gains one, biases zero. The standard deviation is d_model^-1/2.
/// It is one for embeddings that nothing scales before positions are added, which would otherwise outweigh
/// them, unless the generator shares them.
void initialise(const FlatParameters& parameters, at::Tensor flat, const network::NetworkConfig& network,
                std::uint64_t seed);

} // namespace headscope::training

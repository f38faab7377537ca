#include "model/training/flat_parameters.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>
#include <random>

namespace headscope::training {

namespace {

/// Own distributions, because those of the standard library differ between builds.
class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : bits_(seed) {}
    double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }
    /// Returns a number with mean 0 and deviation 1 (Box & Muller 1958).
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    std::mt19937_64 bits_;
};

bool isEmbedding(const std::string& role) {
    return role.ends_with("_embedding.weight") || role.ends_with("_positions");
}

} // namespace

at::Tensor Slice::of(const at::Tensor& flat) const {
    if (rows == 0)
        return {};
    const auto part = flat.narrow(0, begin, size());
    return columns > 0 ? part.view({rows, columns}) : part;
}

FlatParameters::FlatParameters(const network::Transformer& network) {
    for (const auto& [role, tensor] : network.parameters()) {
        const Slice slice{
            .begin = size_, .rows = tensor.size(0), .columns = tensor.dim() > 1 ? tensor.size(1) : 0};
        slices_[role] = slice;
        size_ += slice.size();
    }
}

Slice FlatParameters::at(const std::string& role) const {
    const auto found = slices_.find(role);
    return found == slices_.end() ? Slice() : found->second;
}

Slice FlatParameters::fused(const std::string& first, std::int64_t count) const {
    auto slice = at(first);
    slice.rows *= count;
    return slice;
}

void FlatParameters::read(const network::Transformer& network, at::Tensor flat) const {
    for (const auto& [role, tensor] : network.parameters())
        slices_.at(role).of(flat).copy_(tensor);
}

void FlatParameters::write(const at::Tensor& flat, const network::Transformer& network) const {
    for (const auto& [role, tensor] : network.parameters())
        tensor.copy_(slices_.at(role).of(flat));
}

void initialise(const FlatParameters& parameters, at::Tensor flat, const network::NetworkConfig& network,
                std::uint64_t seed) {
    RandomNumbers random(seed);
    const double narrow = 1 / std::sqrt(static_cast<double>(network.modelWidth));
    const bool wide = network.embeddingScale == 1 && !network.tiedGenerator;
    for (const auto& [role, slice] : parameters.slices()) {
        float* const values = flat.data_ptr<float>() + slice.begin;
        const bool constant = role.ends_with(".gain") || role.ends_with(".bias");
        const double limit = std::sqrt(6.0 / static_cast<double>(slice.rows + slice.columns));
        for (std::int64_t i = 0; i < slice.size(); ++i)
            if (constant)
                values[i] = role.ends_with(".gain") ? 1.0F : 0.0F;
            else if (isEmbedding(role))
                values[i] = static_cast<float>((wide && role.ends_with("_embedding.weight") ? 1 : narrow) *
                                               random.normal());
            else
                values[i] = static_cast<float>(limit * (2 * random.uniform() - 1));
    }
}

} // namespace headscope::training

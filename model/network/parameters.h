#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headscope::network {

/// A tensor of the network, named by its role, such as "decoder.2.cross.query.weight". To load the network,
/// copy values into `tensor`.
struct Parameter {
    std::string role;
    at::Tensor tensor;
};

/// Collects the parameters of the layers while they are built. Tensors are float32 and uninitialised; on
/// at::kMeta they have shapes but no memory.
class ParameterList {
  public:
    explicit ParameterList(c10::Device device = at::kCPU) : device_(device) {}

    at::Tensor add(const std::string& role, at::IntArrayRef shape);
    /// Adds one tensor [parts * rows, ...] whose parts are parameters of their own, so that several linear
    /// maps of the same input become one product. Returns the whole tensor.
    at::Tensor addFused(const std::vector<std::string>& roles, at::IntArrayRef shapeOfPart);
    const std::vector<Parameter>& parameters() const { return parameters_; }

  private:
    c10::Device device_;
    std::vector<Parameter> parameters_;
};

/// y = x W^T + b. Weight [out, in], bias [out]; undefined bias: none.
struct Linear {
    at::Tensor weight;
    at::Tensor bias;

    static Linear build(ParameterList& list, const std::string& role, int in, int out, bool hasBias);
    /// Builds several maps of one input with concatenated outputs: [..., in] -> [..., roles.size() * out].
    static Linear buildFused(ParameterList& list, const std::vector<std::string>& roles, int in, int out,
                             bool hasBias);
    /// Returns one of several equal parts of a fused map.
    Linear part(std::int64_t index, std::int64_t count) const;
    at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
};

} // namespace headscope::network

#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headscope::network {

/// A tensor the network computes with, under the name of its role, such as "decoder.2.cross.query.weight".
/// Whoever fills the network copies into `tensor`.
struct Parameter {
    std::string role;
    at::Tensor tensor;
};

/// Collects what the layers ask for while they are built. Tensors are float32 and not initialised; on
/// at::kMeta they are shapes alone, without memory.
class ParameterList {
  public:
    explicit ParameterList(c10::Device device = at::kCPU) : device_(device) {}

    at::Tensor add(const std::string& role, at::IntArrayRef shape);
    /// Parts of one tensor [parts.size() * rows, ...], each a parameter of its own: several linear maps of
    /// the same input are then one product. Returns the whole.
    at::Tensor addFused(const std::vector<std::string>& roles, at::IntArrayRef shapeOfPart);
    const std::vector<Parameter>& parameters() const { return parameters_; }

  private:
    c10::Device device_;
    std::vector<Parameter> parameters_;
};

/// y = x W^T + b. Weight [out, in], bias [out]; an undefined bias is none.
struct Linear {
    at::Tensor weight;
    at::Tensor bias;

    static Linear build(ParameterList& list, const std::string& role, int in, int out, bool hasBias);
    /// Several maps of one input, whose outputs follow each other: [..., in] -> [..., roles.size() * out].
    static Linear buildFused(ParameterList& list, const std::vector<std::string>& roles, int in, int out,
                             bool hasBias);
    /// One of several equal parts of a fused map.
    Linear part(std::int64_t index, std::int64_t count) const;
    at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
};

} // namespace headscope::network

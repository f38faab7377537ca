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
    /// Adds one tensor [sum of rows, ...] whose parts are parameters of their own, so that several linear
    /// maps of the same input become one product. `shape` is that of a part without its rows. Returns the
    /// whole tensor.
    struct Part {
        std::string role;
        std::int64_t rows;
    };
    at::Tensor addFused(const std::vector<Part>& parts, at::IntArrayRef shape);
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
    /// Builds several maps of one input with concatenated outputs: [..., in] -> [..., sum of rows].
    static Linear buildFused(ParameterList& list, const std::vector<ParameterList::Part>& parts, int in,
                             bool hasBias);
    /// Returns the map to some of the outputs of a fused map.
    Linear part(std::int64_t first, std::int64_t rows) const;
    at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
};

} // namespace headscope::network

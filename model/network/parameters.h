#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headscope::network {

/// A tensor of the network, named by its role, such as "decoder.2.cross.query.weight". Those of a network
/// without ParameterSource are filled by copying values into `tensor`; others are only read.
struct Parameter {
    std::string role;
    at::Tensor tensor;
};

/// Which types a parameter may have: matrices of linear maps and embeddings stay in the type of their file.
enum class ParameterType { Float32, OfFile };

/// Provides the tensors of a network while it is built.
class ParameterSource {
  public:
    virtual ~ParameterSource() = default;
    /// Returns a contiguous tensor: float32 or, if the type may be that of the file, bfloat16, float16 or in
    /// blocks (block_matrix.h).
    virtual at::Tensor tensor(const std::string& role, at::IntArrayRef shape, ParameterType type) = 0;
};

/// Collects the parameters of the layers while they are built. Without a source, tensors are float32 and
/// uninitialised; on at::kMeta they have shapes but no memory.
class ParameterList {
  public:
    explicit ParameterList(c10::Device device = at::kCPU) : device_(device) {}
    /// `source` is used by add() alone.
    explicit ParameterList(ParameterSource& source) : source_(&source) {}

    /// Returns the encoder's tensor for a role of the decoder if the stacks are tied and it has that shape.
    at::Tensor add(const std::string& role, at::IntArrayRef shape,
                   ParameterType type = ParameterType::Float32);
    void tieStacks() { tiesStacks_ = true; }
    const std::vector<Parameter>& parameters() const { return parameters_; }

  private:
    c10::Device device_ = at::kCPU;
    ParameterSource* source_ = nullptr;
    bool tiesStacks_ = false;
    std::vector<Parameter> parameters_;
};

/// One number a row of x [rows, width]: row . direction + constant.
struct LinearReading {
    at::Tensor direction; ///< [rows, width]
    at::Tensor constant;  ///< [rows]
};

/// y = (x W^T + b) factor. Weight [out, in] of any ParameterType, bias [out]; undefined bias: none.
struct Linear {
    at::Tensor weight;
    at::Tensor bias;
    double factor = 1;

    static Linear build(ParameterList& list, const std::string& role, std::int64_t in, std::int64_t out,
                        bool hasBias);
    at::Tensor operator()(const at::Tensor& x) const; // [..., in] -> [..., out]
    /// Returns the reading of x that gives what `reading` of y gives.
    LinearReading before(const LinearReading& reading) const;
};

/// Returns the results of maps of the same input, x [n, in] -> [n, out] each.
std::vector<at::Tensor> applied(const std::vector<const Linear*>& maps, const at::Tensor& x);

} // namespace headscope::network

#include "model/checkpoint/load_parameters.h"

#include "model/network/block_matrix.h"
#include "model/network/matrix_product.h"
#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <utility>

namespace headscope::checkpoint {

namespace {

using files::ElementType;
using files::StoredTensor;

/// Empty for integers and bool, which are not accepted as weights, and for types in blocks.
std::optional<at::ScalarType> scalarType(ElementType type) {
    switch (type) {
    case ElementType::Float16:
        return at::kHalf;
    case ElementType::BFloat16:
        return at::kBFloat16;
    case ElementType::Float32:
        return at::kFloat;
    case ElementType::Float64:
        return at::kDouble;
    default:
        return std::nullopt;
    }
}

/// Returns a tensor over the file's own bytes, which it keeps alive; if they are not aligned for their type,
/// over a copy.
at::Tensor overBytes(const StoredTensor& stored, at::ScalarType type) {
    const auto itemSize = files::sizeOf(stored.type);
    std::int64_t last = 0; // index of the last element in use
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < stored.shape.size(); ++d) {
        last += (stored.shape[d] - 1) * stored.strides[d];
        elements *= stored.shape[d];
    }
    if (elements == 0)
        return at::empty(stored.shape, type);
    const std::byte* first = stored.bytes->data() + stored.offset;
    const bool aligned = reinterpret_cast<std::uintptr_t>(first) % itemSize == 0;
    if (!aligned) {
        auto copy = at::empty({last + 1}, type);
        std::memcpy(copy.data_ptr(), first, (last + 1) * itemSize);
        return copy.as_strided(stored.shape, stored.strides);
    }
    // The const_cast is safe: the tensor is only read.
    return at::from_blob(
        const_cast<std::byte*>(first), stored.shape, stored.strides, [bytes = stored.bytes](void*) {}, type);
}

/// Calls work(first row, rows) for parts of some milliseconds each, so that `stop` is obeyed quickly.
void inParts(at::IntArrayRef shape, const std::stop_token& stop,
             const std::function<void(std::int64_t, std::int64_t)>& work) {
    constexpr std::int64_t elementsAtOnce = 1 << 21;
    const auto count = shape[0];
    const auto ofRow = c10::multiply_integers(shape.slice(1));
    const auto rows = std::max<std::int64_t>(1, elementsAtOnce / std::max<std::int64_t>(1, ofRow));
    for (std::int64_t row = 0; row < count; row += rows) {
        trace::throwIfStopped(stop);
        work(row, std::min(rows, count - row));
    }
}

at::Tensor copied(const at::Tensor& stored, at::ScalarType type, const std::stop_token& stop) {
    // Like the bytes of a file, in huge pages.
    auto bytes = std::make_shared<files::FileBytes>(stored.numel() * c10::elementSize(type));
    auto* const data = bytes->data();
    auto copy = at::from_blob(
        data, stored.sizes(), [bytes = std::move(bytes)](void*) {}, type);
    inParts(stored.sizes(), stop, [&](std::int64_t first, std::int64_t rows) {
        copy.narrow(0, first, rows).copy_(stored.narrow(0, first, rows));
    });
    return copy;
}

/// A matrix in blocks over the file's own bytes.
at::Tensor overBlocks(const StoredTensor& stored, at::IntArrayRef shape) {
    const std::shared_ptr<const std::byte> first(stored.bytes, stored.bytes->data() + stored.offset);
    return network::blockMatrix({.type = stored.type, .first = first}, shape);
}

/// Whether a parameter has the type of its file.
bool keepsType(ElementType type, network::ParameterType parameterType) {
    return parameterType == network::ParameterType::OfFile &&
           (type == ElementType::Float32 || type == ElementType::BFloat16 || type == ElementType::Float16 ||
            files::isInBlocks(type));
}

/// Counts the bytes of the tensors that are copied.
class CopiedParameters : public network::ParameterSource {
  public:
    explicit CopiedParameters(const TensorLookup& tensors) : tensors_(tensors) {}
    double bytes() const { return bytes_; }

    at::Tensor tensor(const std::string& role, at::IntArrayRef shape,
                      network::ParameterType parameterType) override {
        auto none = at::empty(shape, at::kMeta);
        const auto* stored = tensors_.find(role);
        if (!stored || !(scalarType(stored->type) || files::isInBlocks(stored->type)))
            return none;
        const bool ofFile = keepsType(stored->type, parameterType);
        if (!ofFile || stored->strides != files::contiguousStrides(stored->shape))
            bytes_ +=
                static_cast<double>(none.numel()) * (ofFile ? files::sizeOf(stored->type) : sizeof(float));
        return none;
    }

  private:
    const TensorLookup& tensors_;
    double bytes_ = 0;
};

/// Collects all differences between tensors and model for one error.
struct Mismatches {
    std::string expected, found;
    std::string wayOut = "check that the file is whole and that --family fits it";

    void add(const std::string& wanted, const std::string& there) {
        expected += (expected.empty() ? "" : "; ") + wanted;
        found += (found.empty() ? "" : "; ") + there;
    }
};

/// Takes parameters from a file. After a mismatch the network is incomplete and must not be used.
class StoredParameters : public network::ParameterSource {
  public:
    StoredParameters(const TensorLookup& tensors, const Family& family, std::stop_token stop)
        : tensors_(tensors), family_(family), stop_(std::move(stop)), unused_(tensors.names()) {}

    at::Tensor tensor(const std::string& role, at::IntArrayRef shape,
                      network::ParameterType parameterType) override {
        const auto name = family_.tensorName(role).value_or(role);
        const auto* stored = tensors_.find(role);
        const auto wanted = shape.vec();
        if (!stored) {
            mismatches_.add(name + " " + files::shapeText(wanted), name + " is missing");
            return at::empty(shape, at::kMeta);
        }
        const auto type = scalarType(stored->type);
        const bool areBlocks = files::isInBlocks(stored->type);
        if ((!type && !areBlocks) || withoutOnes(stored->shape, wanted.size()) != wanted) {
            mismatches_.add(name + " " + files::shapeText(wanted),
                            name + " is " + files::shapeText(stored->shape) + " of " +
                                std::string(files::name(stored->type)));
            return at::empty(shape, at::kMeta);
        }
        auto tensor = areBlocks ? overBlocks(*stored, shape) : overBytes(*stored, *type).reshape(wanted);
        const bool ofFile = keepsType(stored->type, parameterType);
        if (areBlocks && !ofFile)
            tensor = network::widened(tensor);
        else if (!areBlocks && (!ofFile || !tensor.is_contiguous()))
            tensor = copied(tensor, ofFile ? *type : at::kFloat, stop_);
        refuseUnlessFinite(tensor, name);
        unused_.erase(tensors_.nameOf(*stored));
        unused_.erase(partOf(name).name);
        if (const auto other = network::roleInOtherStack(role); tensors_.areTied(role, other))
            unused_.erase(partOf(family_.tensorName(other).value_or("")).name);
        return tensor;
    }

    /// Throws what did not fit.
    std::vector<std::string> unused(const std::string& where) && {
        if (!mismatches_.found.empty())
            throw trace::Refusal({.what = "The tensors do not make up the model",
                                  .where = where,
                                  .expected = mismatches_.expected,
                                  .found = mismatches_.found,
                                  .wayOut = mismatches_.wayOut});
        for (const auto& role : family_.tied)
            if (const auto name = family_.tensorName(role))
                unused_.erase(*name);
        std::erase_if(unused_, [&](const std::string& name) { return family_.isIgnored(name); });
        return {unused_.begin(), unused_.end()};
    }

  private:
    void refuseUnlessFinite(const at::Tensor& tensor, const std::string& name) {
        std::int64_t count = 0;
        inParts(tensor.sizes(), stop_, [&](std::int64_t first, std::int64_t rows) {
            count += network::notFinite(tensor, first, rows);
        });
        if (count == 0)
            return;
        mismatches_.add(name + " of finite numbers",
                        name + " has " + std::to_string(count) + " that are NaN or infinite");
        mismatches_.wayOut = "take a checkpoint from before the training diverged";
    }

    const TensorLookup& tensors_;
    const Family& family_;
    std::stop_token stop_;
    std::set<std::string> unused_;
    Mismatches mismatches_;
};

} // namespace

double memoryOfCopies(network::NetworkConfig config, const TensorLookup& tensors) {
    if (!network::isInAttention(config.positions))
        config.positions = network::PositionScheme::None; // a formula's table would be computed
    CopiedParameters copied(tensors);
    const network::Transformer shapes(config, copied);
    return copied.bytes();
}

LoadedNetwork loadNetwork(const network::NetworkConfig& config, const TensorLookup& tensors,
                          const Family& family, const std::string& where, std::stop_token stop) {
    StoredParameters parameters(tensors, family, std::move(stop));
    auto network = std::make_unique<network::Transformer>(config, parameters);
    return {std::move(network), std::move(parameters).unused(where)};
}

} // namespace headscope::checkpoint

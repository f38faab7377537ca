#include "model/checkpoint/load_parameters.h"

#include "model/trace/refusal.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace headscope::checkpoint {

namespace {

using files::ElementType;
using files::StoredTensor;

/// Empty for integers and bool, which are not accepted as weights.
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

/// Returns a tensor over the file's own bytes; if they are not aligned for their type, over a copy.
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
    return at::from_blob(const_cast<std::byte*>(first), stored.shape, stored.strides, type);
}

/// Copies in parts of some milliseconds each, so that `stop` is obeyed quickly.
void copyInto(const at::Tensor& parameter, const at::Tensor& stored, const std::stop_token& stop) {
    constexpr std::int64_t elementsAtOnce = 1 << 21;
    const auto count = parameter.size(0);
    const auto rows =
        std::max<std::int64_t>(1, elementsAtOnce * count / std::max<std::int64_t>(1, parameter.numel()));
    for (std::int64_t row = 0; row < count; row += rows) {
        trace::throwIfStopped(stop);
        const auto these = std::min(rows, count - row);
        parameter.narrow(0, row, these).copy_(stored.narrow(0, row, these));
    }
}

/// Counts the elements that are not finite. In the usual case without any, the sum shows it in one pass.
std::int64_t notFinite(const at::Tensor& weights) {
    if (std::isfinite(weights.sum().item<double>()))
        return 0;
    return weights.numel() - at::isfinite(weights).sum().item<std::int64_t>();
}

/// Collects all differences between tensors and model for one error.
struct Mismatches {
    std::string expected, found;
    std::string wayOut = "check that the file is whole and that --family fits it";

    void add(const std::string& wanted, const std::string& there) {
        expected += (expected.empty() ? "" : "; ") + wanted;
        found += (found.empty() ? "" : "; ") + there;
    }
};

} // namespace

std::vector<std::string> loadParameters(const network::Transformer& network, const TensorLookup& tensors,
                                        const Family& family, const std::string& where,
                                        std::stop_token stop) {
    std::set<std::string> unused = tensors.names();
    Mismatches mismatches;
    for (const auto& [role, parameter] : network.parameters()) {
        const auto name = family.tensorName(role).value_or(role);
        const auto* stored = tensors.find(role);
        const auto wanted = parameter.sizes().vec();
        if (!stored) {
            mismatches.add(name + " " + files::shapeText(wanted), name + " is missing");
            continue;
        }
        const auto type = scalarType(stored->type);
        if (!type || withoutOnes(stored->shape, wanted.size()) != wanted) {
            mismatches.add(name + " " + files::shapeText(wanted),
                           name + " is " + files::shapeText(stored->shape) + " of " +
                               std::string(files::name(stored->type)));
            continue;
        }
        copyInto(parameter, overBytes(*stored, *type).reshape(wanted), stop);
        if (const auto count = notFinite(parameter); count > 0) {
            mismatches.add(name + " of finite numbers",
                           name + " has " + std::to_string(count) + " that are NaN or infinite");
            mismatches.wayOut = "take a checkpoint from before the training diverged";
        }
        unused.erase(family.withoutPrefix(stored->name));
        unused.erase(partOf(name).name);
    }
    if (!mismatches.found.empty())
        throw trace::Refusal({.what = "The tensors do not make up the model",
                              .where = where,
                              .expected = mismatches.expected,
                              .found = mismatches.found,
                              .wayOut = mismatches.wayOut});
    for (const auto& role : family.tied)
        if (const auto name = family.tensorName(role))
            unused.erase(*name);
    std::erase_if(unused, [&](const std::string& name) { return family.isIgnored(name); });
    return {unused.begin(), unused.end()};
}

} // namespace headscope::checkpoint

#include "model/network/block_matrix.h"

#include <ATen/ATen.h>
#include <ATen/OpaqueTensorImpl.h>

#include <utility>

namespace headscope::network {

namespace {

using OpaqueBlocks = at::OpaqueTensorImpl<BlockMatrix>;
// A key for which LibTorch has no operations.
constexpr auto keyWithoutOperations = c10::DispatchKey::PrivateUse1;

} // namespace

at::Tensor blockMatrix(BlockMatrix blocks, at::IntArrayRef shape) {
    return at::detail::make_tensor<OpaqueBlocks>(c10::DispatchKeySet(keyWithoutOperations),
                                                 caffe2::TypeMeta::Make<float>(), c10::Device(at::kCPU),
                                                 std::move(blocks), shape);
}

const BlockMatrix* blocksOf(const at::Tensor& tensor) {
    if (!tensor.key_set().has(keyWithoutOperations))
        return nullptr;
    return &static_cast<OpaqueBlocks*>(tensor.unsafeGetTensorImpl())->unsafe_opaque_handle();
}

} // namespace headscope::network

#include "tests/fuzz/hostile_input.h"

#include "model/files/utf8.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace fuzz {

using namespace headscope;

void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "finding: %s\n", what);
    std::abort();
}

void checkRefusal(const trace::RefusalText& text) {
    require(!text.what.empty(), "a refusal does not say what");
    require(!text.where.empty(), "a refusal does not say where");
    require(!text.wayOut.empty(), "a refusal has no way out");
    for (const auto* part : {&text.what, &text.where, &text.expected, &text.found, &text.wayOut})
        require(files::isUtf8(*part), "a refusal is no UTF-8");
}

namespace {

void checkTensor(const files::StoredTensor& tensor) {
    require(files::isUtf8(tensor.name) && tensor.name.size() <= files::maximumNameBytes, "a tensor's name");
    require(tensor.shape.size() <= files::maximumRank && tensor.shape.size() == tensor.strides.size(),
            "a tensor's rank");
    const auto elements = files::checkedProduct(tensor.shape);
    require(elements.has_value(), "a shape that overflows");
    if (*elements == 0)
        return;
    std::int64_t last = 0;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        std::int64_t reach = 0;
        require(tensor.strides[axis] >= 0 &&
                    !__builtin_mul_overflow(tensor.shape[axis] - 1, tensor.strides[axis], &reach) &&
                    !__builtin_add_overflow(last, reach, &last),
                "strides that overflow");
    }
    const std::size_t size = files::sizeOf(tensor.type);
    require(tensor.bytes && tensor.offset <= tensor.bytes->size() &&
                static_cast<std::size_t>(last) <
                    (tensor.bytes->size() - tensor.offset) / size * files::blockLength(tensor.type),
            "a tensor that leaves its bytes");
}

} // namespace

void checkTensors(const files::TensorFile& file) {
    require(!file.format.empty(), "a format without a name");
    require(file.tensors.size() <= files::maximumTensors, "too many tensors");
    for (const auto& tensor : file.tensors)
        checkTensor(tensor);
}

std::filesystem::path fileWith(std::span<const std::byte> content) {
    static const int file = memfd_create("input", MFD_CLOEXEC);
    require(file >= 0 && ftruncate(file, 0) == 0, "the input's file could not be made");
    require(pwrite(file, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()),
            "the input's file could not be written");
    return "/proc/self/fd/" + std::to_string(file);
}

} // namespace fuzz

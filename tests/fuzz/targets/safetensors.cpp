#include "model/files/safetensors.h"
#include "tests/fuzz/hostile_input.h"
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <random>

using namespace headscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto path = fuzz::fileWith(fuzz::bytesOf(data, size));
    fuzz::readStranger([&] {
        const auto file = files::readSafetensors(path);
        fuzz::checkTensors(file);
        for (const auto& tensor : file.tensors)
            fuzz::require(tensor.strides == files::contiguousStrides(tensor.shape), "strides with holes");
    });
    return 0;
}

namespace {

constexpr std::size_t lengthBytes = 8;

/// As many bytes of data as the largest number in the header asks for, as far as there is room.
std::size_t wantedData(const std::uint8_t* header, std::size_t size) {
    std::size_t largest = 0, number = 0;
    for (std::size_t i = 0; i < size; ++i) {
        number = std::isdigit(header[i]) ? std::min<std::size_t>(number * 10 + header[i] - '0', 1 << 20) : 0;
        largest = std::max(largest, number);
    }
    return largest;
}

} // namespace

/// Mostly changes the header's text and makes the length before it and the data behind it fit.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maximumSize,
                                               unsigned seed) {
    std::minstd_rand random(seed);
    if (size <= lengthBytes || maximumSize < 64 || random() % 8 == 0)
        return LLVMFuzzerMutate(data, size, maximumSize);
    std::uint64_t header = 0;
    std::memcpy(&header, data, lengthBytes);
    header = std::min<std::uint64_t>(header, size - lengthBytes);
    const std::size_t room = maximumSize - lengthBytes;
    const std::size_t text =
        LLVMFuzzerMutate(data + lengthBytes, header, std::max<std::size_t>(room / 2, header));
    const std::uint64_t length = text;
    std::memcpy(data, &length, lengthBytes);
    const std::size_t wanted = std::min(wantedData(data + lengthBytes, text), room - text);
    std::memset(data + lengthBytes + text, 1, wanted);
    return lengthBytes + text + wanted;
}

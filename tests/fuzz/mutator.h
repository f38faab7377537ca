#pragma once

#include <cstddef>
#include <cstdint>

/// libFuzzer's own mutation of `data`, for the custom mutators. Nothing calls those where inputs are
/// replayed.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t maximumSize);

#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// How much a pickle may ask for.
struct PickleLimits {
    std::size_t values = 2'000'000;
    std::size_t links = 8'000'000; ///< between values, and marks and names for them
    std::size_t depth = 1'000'000; ///< of the stack
};

/// Reads what torch.save writes (pickle protocol 2 to 5, the opcodes of state dictionaries) without running
/// any of it: a pickle is a program, and this machine knows only the instructions that build plain values.
/// The few functions that rebuild tensors become PickleTensor, every other name an inert placeholder.
/// Anything else throws trace::Refusal with the byte position.
Pickle unpickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits = {});

} // namespace headscope::files

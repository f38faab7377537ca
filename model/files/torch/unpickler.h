#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/files/torch/pickle_value.h"

namespace headscope::files {

/// Limits for untrusted pickles.
struct PickleLimits {
    std::size_t values = 2'000'000;
    std::size_t links = 8'000'000; ///< references between values, marks, memo entries and names
    std::size_t depth = 1'000'000; ///< of the stack
};

/// Reads the output of torch.save (pickle protocols 2 to 5, the opcodes of state dictionaries) without
/// running any code: a pickle is a program, and this machine knows only the opcodes that build plain values.
/// Calls of the few functions that rebuild tensors become a PickleTensor, every other name an inert
/// placeholder. Throws trace::Refusal, with the byte position, for anything else.
Pickle unpickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits = {});

} // namespace headscope::files

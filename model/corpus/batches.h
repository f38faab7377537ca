#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::corpus {

/// An example's tokens.
struct ExampleLength {
    std::size_t source = 0;
    std::size_t target = 0;
};

struct BatchOptions {
    std::size_t tokens = 1500; ///< of the target, its longest sentence times the number of sentences
    std::size_t pool = 8000;   ///< examples that are sorted by length together; 1: none are
};

/// Numbers of examples, a batch an entry: all of them, in an order that `seed` and `epoch` decide. Sentences
/// of a batch are of about one length. A batch is full once it has the tokens asked for.
std::vector<std::vector<std::uint32_t>> makeBatches(const std::vector<ExampleLength>& examples,
                                                    const BatchOptions& options, std::uint64_t seed,
                                                    std::uint64_t epoch);

} // namespace headscope::corpus

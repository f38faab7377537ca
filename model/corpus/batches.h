#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::corpus {

/// Number of tokens of an example.
struct ExampleLength {
    std::size_t source = 0;
    std::size_t target = 0;
};

struct BatchOptions {
    std::size_t tokens = 1500; ///< length of the longest target times number of sentences
    std::size_t pool = 8000;   ///< examples sorted by length together; 1: no sorting
};

/// Returns one list of example indices per batch. All examples occur, in an order determined by `seed` and
/// `epoch`. Sentences of a batch have similar lengths. A batch is full once it reaches `options.tokens`.
std::vector<std::vector<std::uint32_t>> makeBatches(const std::vector<ExampleLength>& examples,
                                                    const BatchOptions& options, std::uint64_t seed,
                                                    std::uint64_t epoch);

} // namespace headscope::corpus

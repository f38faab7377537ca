#pragma once

#include "model/corpus/parallel_corpus.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::corpus {

enum class ToyTask { Copy, Reverse };

/// A toy task: sentences of random words w1, w2, ..., and its expected output.
struct ToyCorpus {
    ToyTask task = ToyTask::Copy;
    std::int64_t words = 20;
    std::int64_t shortest = 3;
    std::int64_t longest = 10;
    std::int64_t sentences = 10'000;
    std::uint64_t seed = 1;
};

/// Returns the same corpus for the same seed on every machine.
std::vector<TextPair> makeToyCorpus(const ToyCorpus& corpus);

} // namespace headscope::corpus

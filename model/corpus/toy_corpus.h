#pragma once

#include "model/corpus/parallel_corpus.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headscope::corpus {

enum class ToyTask { Copy, Reverse };

/// Sentences of random words w1, w2, ... and what is to be made of them.
struct ToyCorpus {
    ToyTask task = ToyTask::Copy;
    std::int64_t words = 20;
    std::int64_t shortest = 3;
    std::int64_t longest = 10;
    std::int64_t sentences = 10'000;
    std::uint64_t seed = 1;
};

/// The same for the same seed, on every machine.
std::vector<TextPair> makeToyCorpus(const ToyCorpus& corpus);

} // namespace headscope::corpus

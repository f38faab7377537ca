#include "model/corpus/batches.h"

#include "model/trace/shuffle.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

namespace headscope::corpus {

std::vector<std::vector<std::uint32_t>> makeBatches(const std::vector<ExampleLength>& examples,
                                                    const BatchOptions& options, std::uint64_t seed,
                                                    std::uint64_t epoch) {
    std::mt19937_64 bits(seed * 0x9E3779B97F4A7C15U + epoch);
    std::vector<std::uint32_t> order(examples.size());
    std::iota(order.begin(), order.end(), 0U);
    trace::shuffle(order, bits);
    const auto lengths = [&](std::uint32_t i) { return std::tuple(examples[i].target, examples[i].source); };
    const auto pool = std::max<std::size_t>(1, options.pool);
    std::vector<std::vector<std::uint32_t>> batches;
    std::vector<std::uint32_t> batch;
    std::size_t longest = 0;
    for (std::size_t at = 0; at < order.size(); at += pool) {
        const auto end = std::min(order.size(), at + pool);
        std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(at),
                         order.begin() + static_cast<std::ptrdiff_t>(end),
                         [&](std::uint32_t a, std::uint32_t b) { return lengths(a) < lengths(b); });
        for (std::size_t i = at; i < end; ++i) {
            batch.push_back(order[i]);
            longest = std::max(longest, examples[order[i]].target);
            const bool poolEnds = pool > 1 && i + 1 == end;
            if (longest * batch.size() < options.tokens && !poolEnds)
                continue;
            batches.push_back(std::move(batch));
            batch.clear();
            longest = 0;
        }
    }
    if (!batch.empty())
        batches.push_back(std::move(batch));
    trace::shuffle(batches, bits);
    return batches;
}

} // namespace headscope::corpus

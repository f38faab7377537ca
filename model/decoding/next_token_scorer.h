#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::decoding {

/// What a search asks of a model.
class NextTokenScorer {
  public:
    virtual ~NextTokenScorer() = default;

    /// Logarithms of the probabilities of all tokens after `fed`, whose first is the start token:
    /// [vocabulary], valid until the next call. May throw, such as trace::Cancelled.
    virtual std::span<const float> logProbabilities(const std::vector<std::int64_t>& fed) = 0;
};

} // namespace headscope::decoding

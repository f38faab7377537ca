#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::decoding {

/// Interface through which a search queries a model.
class NextTokenScorer {
  public:
    virtual ~NextTokenScorer() = default;

    /// Returns the log-probabilities of all tokens after `fed`, which begins with the start token:
    /// [vocabulary], valid until the next call. May throw, for instance trace::Cancelled.
    virtual std::span<const float> logProbabilities(const std::vector<std::int64_t>& fed) = 0;
};

} // namespace headscope::decoding

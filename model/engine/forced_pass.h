#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// One whole pass without keeping any map: what the model says of a target that is given, or of the source's
/// class.
class ForcedPass {
  public:
    /// `fed`: what the decoder reads, [T]; empty for a classifier. What it is given must outlive it.
    ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
               std::stop_token stop);

    /// [T, vocabulary] log-probabilities of the next tokens; [1, classes] of a classifier. Throws
    /// trace::Cancelled.
    at::Tensor logProbabilities(const network::Interventions& interventions) const;

  private:
    const OpenModel& model_;
    const EncodedSource& source_;
    std::vector<std::int64_t> fed_;
    std::stop_token stop_;
};

} // namespace headscope::engine

#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headscope::engine {

/// Passes over a given target, or over the source of an encoder alone, that store no maps.
class ForcedPass {
  public:
    /// `fed`: decoder input, [T]; empty for an encoder alone. The references must outlive the object.
    ForcedPass(const OpenModel& model, const EncodedSource& source, std::vector<std::int64_t> fed,
               std::stop_token stop);

    /// Returns the log-probabilities of the next tokens, [T, vocabulary]; [1, classes] for a classifier;
    /// [masks, vocabulary] for a model that predicts masked tokens. Throws trace::Cancelled.
    at::Tensor logProbabilities(const network::Interventions& interventions) const;

  private:
    const OpenModel& model_;
    const EncodedSource& source_;
    std::vector<std::int64_t> fed_;
    std::stop_token stop_;
};

} // namespace headscope::engine

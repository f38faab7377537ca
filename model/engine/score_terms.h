#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/run.h"
#include "model/trace/score_terms.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Splits the scores of a self-attention layer along the path of `run`. Throws trace::Refusal if the model
/// has no such attention or its scores cannot be split: without a bias by distance, only the stream of a
/// first layer is still word + position. Throws trace::Cancelled.
std::shared_ptr<const trace::ScoreTerms> scoreTerms(const OpenModel& model, const EncodedSource& source,
                                                    const network::Interventions& interventions,
                                                    const trace::Run& run, const trace::AttentionSite& site,
                                                    std::stop_token stop);

} // namespace headscope::engine

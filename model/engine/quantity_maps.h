#pragma once

#include "model/engine/encoded_source.h"
#include "model/engine/open_model.h"
#include "model/network/intervention.h"
#include "model/trace/quantity_maps.h"
#include "model/trace/run.h"

#include <memory>
#include <stop_token>

namespace headscope::engine {

/// Computes a quantity at one site along the path of `run`. `step` is for gradients only: the step whose
/// token's logit is used or, for a classifier, the index of the class. Throws trace::Refusal if the model has
/// no such site or the quantity is not available; trace::Cancelled.
std::shared_ptr<const trace::QuantityMaps> quantityMaps(const OpenModel& model, const EncodedSource& source,
                                                        const network::Interventions& interventions,
                                                        const trace::Run& run, trace::MapQuantity quantity,
                                                        const trace::AttentionSite& site, std::size_t step,
                                                        std::stop_token stop);

} // namespace headscope::engine

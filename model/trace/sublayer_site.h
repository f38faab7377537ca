#pragma once

#include "model/trace/intervention.h"

#include <optional>

namespace headscope::trace {

/// Returns the attention site of a sublayer; nullopt for a feed-forward one.
std::optional<AttentionSite> attentionSite(const SublayerAddress& sublayer);

} // namespace headscope::trace

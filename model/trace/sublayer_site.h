#pragma once

#include "model/trace/intervention.h"

#include <optional>

namespace headscope::trace {

/// The attention that a sublayer is; nothing of a feed-forward one.
std::optional<AttentionSite> attentionSite(const SublayerAddress& sublayer);

} // namespace headscope::trace

#pragma once

#include "model/trace/intervention.h"

#include <optional>
#include <vector>

namespace headscope::trace {

/// Returns the attention site of a sublayer; nullopt for a feed-forward one.
std::optional<AttentionSite> attentionSite(const SublayerAddress& sublayer);

/// Returns the sublayers of a layer in the order in which the stream passes them.
std::vector<SublayerKind> encoderSublayers();
/// `hasCross`: false for a decoder alone.
std::vector<SublayerKind> decoderSublayers(bool hasCross);

} // namespace headscope::trace

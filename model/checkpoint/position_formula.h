#pragma once

#include "model/network/transformer.h"

#include <optional>

namespace headscope::checkpoint {

/// Returns the sinusoid formula that reproduces a network's stored position tables to within 1e-6, the
/// precision of float32 sines: such tables were computed, not learned. `base` is the base of the formula.
/// Empty if no formula fits or no tables are stored.
std::optional<network::PositionScheme> positionFormula(const network::Transformer& network, double base);

} // namespace headscope::checkpoint

#pragma once

#include "model/network/transformer.h"

#include <optional>

namespace headscope::checkpoint {

/// The formula that gives a network's stored tables of positions, if one does to the last digits that float32
/// sines agree in: such tables were computed, not learned. `base` is the formula's. Nothing where no tables
/// are stored.
std::optional<network::PositionScheme> positionFormula(const network::Transformer& network, double base);

} // namespace headscope::checkpoint

#pragma once

#include "model/trace/matrix.h"
#include "model/trace/token.h"
#include "widgets/map/map_layout.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// [length, length]: row i may attend to columns 0 to i (Vaswani et al. 2017, section 3.2.3).
trace::MaskMatrix subsequentMask(std::size_t length);

/// [queries, keys.size()]: every row may attend to every key that is no padding.
trace::MaskMatrix paddingMask(std::size_t queries, const std::vector<trace::Token>& keys);

/// Open where both are open. Shapes agree.
trace::MaskMatrix intersection(const trace::MaskMatrix& one, const trace::MaskMatrix& other);

/// The first cell, in reading order, where two masks differ; the first cell of all if their shapes do.
std::optional<MapCell> firstDifference(const trace::MaskMatrix& one, const trace::MaskMatrix& other);

} // namespace headscope::widgets

#pragma once

#include "model/trace/matrix.h"
#include "model/trace/token.h"
#include "widgets/map/map_layout.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// [length, length]: row i may attend to columns 0 to i (Vaswani et al. 2017, section 3.2.3).
trace::MaskMatrix subsequentMask(std::size_t length);

/// [queries, keys.size()]: every row may attend to every key that is not padding.
trace::MaskMatrix paddingMask(std::size_t queries, const std::vector<trace::Token>& keys);

/// Returns the cells that both masks allow. The shapes must be equal.
trace::MaskMatrix intersection(const trace::MaskMatrix& one, const trace::MaskMatrix& other);

/// Returns the first cell, in reading order, where two masks differ; (0, 0) if their shapes differ.
std::optional<MapCell> firstDifference(const trace::MaskMatrix& one, const trace::MaskMatrix& other);

} // namespace headscope::widgets

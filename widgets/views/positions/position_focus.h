#pragma once

#include "widgets/selection.h"
#include "widgets/views/positions/position_table.h"

#include <optional>

namespace headscope::widgets {

/// Positions that the selection's focus lights. On the source side a token is a query and a key of the
/// encoder, on the target side row t was fed token t: two positions are lit where a cell of a map is pointed
/// at.
struct PositionFocus {
    std::optional<int> query; ///< of the token that looks, else of the one looked at
    std::optional<int> key;   ///< of the token looked at, else of the one that looks
    /// The one that is lit where there is room for one only: that of the token whose chip is lit.
    std::optional<int> one;
    friend bool operator==(const PositionFocus&, const PositionFocus&) = default;
};

/// Nothing is lit where the sentence has no such position.
PositionFocus positionFocus(const TokenFocus& focus, const PositionTable& table, PositionSide side);

/// What is lit everywhere by pointing at a pair of positions, or twice at the same one; a position that
/// belongs to no token of the sentence lights nothing.
TokenFocus tokenFocus(std::optional<int> queryPosition, std::optional<int> keyPosition,
                      const PositionTable& table, PositionSide side);

} // namespace headscope::widgets

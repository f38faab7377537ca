#pragma once

#include "widgets/selection.h"
#include "widgets/views/positions/position_table.h"

#include <optional>

namespace headscope::widgets {

/// The highlighted positions. On the source side a token is both a query and a key of the encoder; on the
/// target side row t was fed token t. A hovered cell of a map therefore highlights two positions.
struct PositionFocus {
    std::optional<int> query; ///< of the query token, else of the key token
    std::optional<int> key;   ///< of the key token, else of the query token
    /// For pages that highlight a single position: the token whose chip is highlighted.
    std::optional<int> one;
    friend bool operator==(const PositionFocus&, const PositionFocus&) = default;
};

/// Empty for positions that the sentence does not have.
PositionFocus positionFocus(const TokenFocus& focus, const PositionTable& table, PositionSide side);

/// Returns the tokens to highlight for a pair of positions (or twice the same). A position without a token of
/// the sentence highlights nothing.
TokenFocus tokenFocus(std::optional<int> queryPosition, std::optional<int> keyPosition,
                      const PositionTable& table, PositionSide side);

} // namespace headscope::widgets

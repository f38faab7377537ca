#include "widgets/views/positions/position_focus.h"

#include <algorithm>

namespace headscope::widgets {

namespace {

std::optional<int> positionOf(std::optional<int> token, const PositionTable& table) {
    if (!token || *token < 0 || static_cast<std::size_t>(*token) >= table.rows.size())
        return std::nullopt;
    return table.rows[*token];
}

/// Padding may repeat a position: the first token wins.
std::optional<int> tokenAt(std::optional<int> position, const PositionTable& table) {
    const auto found = position ? std::ranges::find(table.rows, position) : table.rows.end();
    return found == table.rows.end() ? std::nullopt
                                     : std::optional(static_cast<int>(found - table.rows.begin()));
}

} // namespace

PositionFocus positionFocus(const TokenFocus& focus, const PositionTable& table, PositionSide side) {
    const bool source = side == PositionSide::Source;
    const auto query = positionOf(source ? focus.sourceQuery : focus.targetQuery, table);
    const auto key = positionOf(source ? focus.sourceKey : focus.targetKey, table);
    PositionFocus lit{.query = query ? query : key, .key = key ? key : query};
    lit.one = source ? lit.key : lit.query;
    return lit;
}

TokenFocus tokenFocus(std::optional<int> queryPosition, std::optional<int> keyPosition,
                      const PositionTable& table, PositionSide side) {
    const auto query = tokenAt(queryPosition, table);
    const auto key = tokenAt(keyPosition, table);
    if (side == PositionSide::Source)
        return {.sourceQuery = query, .sourceKey = key};
    return {.targetQuery = query, .targetKey = key};
}

} // namespace headscope::widgets

#include "widgets/map/mask_parts.h"

#include <algorithm>

namespace headscope::widgets {

using trace::MaskMatrix;

MaskMatrix subsequentMask(std::size_t length) {
    MaskMatrix mask(length, length);
    for (std::size_t row = 0; row < length; ++row)
        for (std::size_t column = 0; column <= row; ++column)
            mask(row, column) = 1;
    return mask;
}

MaskMatrix paddingMask(std::size_t queries, const std::vector<trace::Token>& keys) {
    MaskMatrix mask(queries, keys.size());
    for (std::size_t row = 0; row < queries; ++row)
        for (std::size_t column = 0; column < keys.size(); ++column)
            mask(row, column) = keys[column].role != trace::TokenRole::Padding;
    return mask;
}

MaskMatrix intersection(const MaskMatrix& one, const MaskMatrix& other) {
    MaskMatrix both(one.rows(), one.columns());
    for (std::size_t row = 0; row < one.rows(); ++row)
        for (std::size_t column = 0; column < one.columns(); ++column)
            both(row, column) = one(row, column) && other(row, column);
    return both;
}

std::optional<MapCell> firstDifference(const MaskMatrix& one, const MaskMatrix& other) {
    if (one.rows() != other.rows() || one.columns() != other.columns())
        return MapCell{};
    const auto [mine, theirs] = std::ranges::mismatch(one.values(), other.values());
    if (mine == one.values().end())
        return std::nullopt;
    const std::size_t index = mine - one.values().begin();
    return MapCell{static_cast<int>(index / one.columns()), static_cast<int>(index % one.columns())};
}

} // namespace headscope::widgets

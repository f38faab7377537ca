#pragma once

#include <QSizeF>

#include "model/trace/attention_record.h"
#include "widgets/map/map_picture.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

// Animations leave room for what is not decoded yet.

/// Rows and columns of a map that are decoded.
struct DecodedCells {
    std::function<bool(int row)> hasRow;
    std::function<bool(int column)> hasColumn;
};

/// Clears the rows and columns that are not decoded, and draws the labels of the others.
void drawDecodedLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                       const DecodedCells& decoded, const TokenLabelStyle& style, const Theme& theme);

/// The share of a small map that is decoded after `rows` rows of the target (width: of the keys, height: of
/// the queries), from 0 to 1.
QSizeF decodedPart(const trace::AttentionRecord& record, const std::optional<std::size_t>& rows);

} // namespace headscope::widgets

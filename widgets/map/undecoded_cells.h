#pragma once

#include <QSizeF>

#include "model/trace/attention_record.h"
#include "widgets/map/map_picture.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// Rows and columns that are decoded so far in an animation.
struct DecodedCells {
    std::function<bool(int row)> hasRow;
    std::function<bool(int column)> hasColumn;
};

/// Clears undecoded rows and columns and draws the labels of the decoded ones.
void drawDecodedLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                       const DecodedCells& decoded, const TokenLabelStyle& style, const Theme& theme);

/// Returns the fraction of keys (width) and queries (height), 0 to 1, that are decoded after `rows` rows of
/// the target.
QSizeF decodedPart(const trace::AttentionRecord& record, const std::optional<std::size_t>& rows);

} // namespace headscope::widgets

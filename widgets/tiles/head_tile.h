#pragma once

#include <QPixmap>
#include <QRect>
#include <QSizeF>

#include "model/trace/attention_record.h"
#include "widgets/map/change_marks.h"
#include "widgets/selection.h"
#include "widgets/tiles/head_tint.h"

#include <optional>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A small map, as a picture or (in figures) as cells; an empty field without either. Refers to values that
/// must outlive it.
struct HeadMap {
    QPixmap picture;
    trace::MatrixView values; ///< weights
    const trace::MaskMatrix* mask = nullptr;
    double limit = 1; ///< end of the colour scale
};

/// The small map of a head, with marks.
struct HeadTile {
    QRect cell;
    HeadMap map;
    HeadMark mark = HeadMark::None;
    std::optional<int> pin;  ///< number of a pinned head, from 1
    QSizeF decoded = {1, 1}; ///< decoded fraction in an animation, 0 to 1
};
void drawHeadTile(QPainter& painter, const HeadTile& tile, const Theme& theme);

/// Draws the frame of the selected head or of the head under the pointer.
void drawTileFrame(QPainter& painter, const QRect& cell, const QColor& colour, int width);

/// Highlights the focused row and column.
void drawLitTokens(QPainter& painter, const QRect& cell, const trace::AttentionRecord& record,
                   const TokenFocus& focus, const Theme& theme);

inline constexpr int tintBarHeight = 8; ///< including the distance to the picture

/// Draws a head's number as a bar at the top of `foot`, from the middle if signed. Ignored if the number is
/// not known.
void drawTintBar(QPainter& painter, const QRect& foot, const HeadTint& tint, const trace::HeadAddress& head,
                 const Theme& theme);
/// Draws the address at the bottom of `foot`, without the kind if there is no room for it.
void drawHeadName(QPainter& painter, const QRect& foot, const trace::HeadAddress& head, const Theme& theme);
/// Returns layer and head, such as "2.5".
QString shortAddress(const trace::HeadAddress& head);
/// Draws the values of full bars: "hurts −0.1234 [bars] +0.1234 helps", "0.00 [bar] 1.00".
void drawTintLegend(QPainter& painter, const QRect& line, const HeadTint& tint, const Theme& theme);

} // namespace headscope::widgets

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

/// A small map, as a picture or, in figures, cell by cell; without either an empty field. It looks at values
/// that somebody else keeps alive.
struct HeadMap {
    QPixmap picture;
    trace::MatrixView values; ///< weights
    const trace::MaskMatrix* mask = nullptr;
    double limit = 1; ///< of the colours
};

/// One head among many: its small map, and what is marked on it.
struct HeadTile {
    QRect cell;
    HeadMap map;
    HeadMark mark = HeadMark::None;
    std::optional<int> pin;  ///< counted from 1, of a head that is pinned
    QSizeF decoded = {1, 1}; ///< the part that an animation has come to, from 0 to 1
};
void drawHeadTile(QPainter& painter, const HeadTile& tile, const Theme& theme);

/// Around the head that is selected or pointed at.
void drawTileFrame(QPainter& painter, const QRect& cell, const QColor& colour, int width);

/// The lit row and column, lightly.
void drawLitTokens(QPainter& painter, const QRect& cell, const trace::AttentionRecord& record,
                   const TokenFocus& focus, const Theme& theme);

inline constexpr int tintBarHeight = 8; ///< of a head's number below its picture, with the distance

/// A head's number as a bar at the top of `foot`, from the middle where it has a sign; nothing where it is
/// not known.
void drawTintBar(QPainter& painter, const QRect& foot, const HeadTint& tint, const trace::HeadAddress& head,
                 const Theme& theme);
/// Its address at the foot of `foot`, without the kind where there is no room for that.
void drawHeadName(QPainter& painter, const QRect& foot, const trace::HeadAddress& head, const Theme& theme);
/// "2.5".
QString shortAddress(const trace::HeadAddress& head);
/// "hurts −0.1234 [bars] +0.1234 helps", "0.00 [bar] 1.00": what a whole bar stands for.
void drawTintLegend(QPainter& painter, const QRect& line, const HeadTint& tint, const Theme& theme);

} // namespace headscope::widgets

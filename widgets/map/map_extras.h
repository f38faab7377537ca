#pragma once

#include <QFont>
#include <QMarginsF>

#include "widgets/map/map_picture.h"
#include "widgets/map/received_sums.h"
#include "widgets/map/shown_map.h"

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

// Optional parts of a map beside its cells.

/// Returns the margins right of and below a map for bars (0: none) and for the names of source and target.
QMarginsF extrasRoom(const ShownMap& shown, double barLength, const QFont& font);

/// Draws a line between the keys of source and target and their names beside the map. Ignored if all keys are
/// of one side.
void drawTwoSides(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const QFont& font,
                  const Theme& theme);
/// Draws a bar per key. On a diverging scale, negative sums have the colour of negative cells.
void drawReceived(QPainter& painter, const ShownMap& shown, const Received& received,
                  const MapPicture& picture, const MapLayout& layout, double barLength, const QFont& font,
                  const Theme& theme);
/// Returns the additional room for losses beside the keys.
double lossesRoom(double barLength);
/// Knock-out losses of a step, per source token.
struct Losses {
    std::vector<double> losses; ///< [S]; NaN: no bar
    QString name;               ///< beside the bars, with the largest loss, if there is room
    bool nameBefore = false;    ///< the name is before the bars, the largest loss after them
    double away = 0;            ///< distance from the keys
    double length = 0;          ///< sum of the longest bars in both directions
    double right = 0;           ///< right end of the room
};
/// Draws bars from a middle line, up for losses and down for gains (left and right if keys are rows). Tokens
/// of a word have separate bars. No bars if all losses round to 0.
void drawLosses(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Losses& losses,
                const QFont& font, const Theme& theme);
/// Returns the text of a number in a cell: "<.01" (or ">−.01") if it rounds to 0, "0" only for exactly 0.
QString cellNumber(float value, int decimals);
/// Draws a number in each allowed cell, all with the decimals that the largest needs for two digits. Ignored
/// unless all fit.
void drawCellNumbers(QPainter& painter, const ShownMap& shown, const MapPicture& picture,
                     const MapLayout& layout, const QFont& font);
/// True if all numbers of drawCellNumbers() fit.
bool cellNumbersFit(const ShownMap& shown, const MapLayout& layout, const QFont& font);
/// Draws a dashed frame around ShownMap::weak.
void drawWeakRows(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Theme& theme);
/// True for a map of decoder self-attention whose first query reads the last key.
bool isWithoutCausalMask(const ShownMap& shown);
/// Frames the keys after each query, which a causal mask would hide.
void drawKeysAhead(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Theme& theme);

} // namespace headscope::widgets

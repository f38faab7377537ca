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

/// What a person may switch on beside the cells of a map, and what only some maps have.
/// Room that bars (of a length, or 0) and the names of two sides need at the right of a map and below it.
QMarginsF extrasRoom(const ShownMap& shown, double barLength, const QFont& font);

/// A line between the keys of the source and those of the target, with both named beside the map; nothing
/// where keys are of one side.
void drawTwoSides(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const QFont& font,
                  const Theme& theme);
/// A bar a key; on a diverging scale what is below zero in the colour that it has there.
void drawReceived(QPainter& painter, const ShownMap& shown, const Received& received,
                  const MapPicture& picture, const MapLayout& layout, double barLength, const QFont& font,
                  const Theme& theme);
/// How much room losses need beyond what else is beside the keys.
double lossesRoom(double barLength);
/// What a step loses without each source token.
struct Losses {
    std::vector<double> losses; ///< [S]; not a number: no bar
    QString name;               ///< beside the bars, with the largest of them, where there is room
    bool nameBefore = false;    ///< the name stands at the other side than the largest
    double away = 0;            ///< from the keys
    double length = 0;          ///< of the largest, up and down together
    double right = 0;           ///< where the room ends
};
/// Bars from a line in the middle, up for a loss and down for a gain (left and right where keys stand at the
/// side). Pieces of a word stand side by side. No bars where all losses round to nothing.
void drawLosses(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Losses& losses,
                const QFont& font, const Theme& theme);
/// A number as it is written in a cell: "<.01" (or ">−.01") where so few decimals leave nothing of it, "0"
/// only of nothing itself.
QString cellNumber(float value, int decimals);
/// A number in each open cell, all with as many decimals as the largest needs for two digits. Nothing unless
/// all fit.
void drawCellNumbers(QPainter& painter, const ShownMap& shown, const MapPicture& picture,
                     const MapLayout& layout, const QFont& font);
/// Whether they all fit.
bool cellNumbersFit(const ShownMap& shown, const MapLayout& layout, const QFont& font);
/// A dashed frame around queries that kept little.
void drawWeakRows(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Theme& theme);

} // namespace headscope::widgets

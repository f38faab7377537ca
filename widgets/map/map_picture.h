#pragma once

#include <QRectF>

#include "model/trace/matrix.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/matrix_image.h"
#include "widgets/drawing/token_label.h"
#include "widgets/map/map_layout.h"

#include <span>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A matrix with what stands around it. It looks at values and labels that somebody else keeps alive.
struct MapPicture {
    trace::MatrixView values;
    const trace::MaskMatrix* mask = nullptr; ///< null: every cell is open
    const MatrixPyramid* pyramid = nullptr;  ///< of the same values and mask, if there are many cells
    Pooling pooling = Pooling::Extreme;      ///< that of the pyramid
    ColourScale scale;
    std::span<const TokenLabel> rowLabels; ///< empty: they stand elsewhere
    std::span<const TokenLabel> columnLabels;
    bool hasStrokes = true; ///< cells below zero have a minus; not where numbers stand in them
};

/// The input of the layout for a picture in `area`; the caller may change it before laying out.
MapLayoutInput layoutInput(const MapPicture& picture, const TokenLabelStyle& style, const QRectF& area);

/// Up to 64 x 64 of them.
bool isDrawnAsCells(std::size_t rows, std::size_t columns);
/// Up to 64 x 64 cells are rectangles, so that they stay sharp in SVG and PDF; more are an unsmoothed image.
void drawMapCells(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme);
/// A minus in the cells that are below zero, where there is room, so that signs are told without colours.
/// None where the scale has no sign, the cell is closed, or its tone is that of zero.
void drawMinusStrokes(QPainter& painter, const MapPicture& picture, const MapLayout& layout);
void drawMapLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const TokenLabelStyle& style, const Theme& theme);
/// Which of the cells that share a pixel shows, after a space; empty where there are so few that none do.
QString sharedPixelsInWords(Pooling pooling, std::size_t rows, std::size_t columns);
/// One label each, where its axis has them.
void drawRowLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int row,
                  const TokenLabelStyle& style, const TokenInk& ink);
void drawColumnLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int column,
                     const TokenLabelStyle& style, const TokenInk& ink);

} // namespace headscope::widgets

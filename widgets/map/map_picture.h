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

/// A matrix with its labels. Refers to values and labels that must outlive it.
struct MapPicture {
    trace::MatrixView values;                ///< that are coloured
    trace::MatrixView numbers;               ///< that cells stand for; empty: `values`
    const trace::MaskMatrix* mask = nullptr; ///< null: all cells are allowed
    const MatrixPyramid* pyramid = nullptr;  ///< of the same values and mask, if there are many cells
    Pooling pooling = Pooling::Extreme;      ///< pooling of the pyramid
    ColourScale scale;
    std::span<const TokenLabel> rowLabels; ///< empty: not drawn
    std::span<const TokenLabel> columnLabels;
    bool hasStrokes = true; ///< negative cells have a minus, unless they contain numbers
};

/// Returns the layout input for a picture in `area`, which the caller may change.
MapLayoutInput layoutInput(const MapPicture& picture, const TokenLabelStyle& style, const QRectF& area);

/// True for up to 64 x 64 cells.
bool isDrawnAsCells(std::size_t rows, std::size_t columns);
/// Up to 64 x 64 cells are drawn as rectangles, which are sharp in SVG and PDF; more as an unsmoothed image.
void drawMapCells(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme);
/// Draws a minus in negative cells, if there is room, so that signs are visible without colours. Not in
/// masked cells, in cells with the colour of 0, or if the scale has no sign.
void drawMinusStrokes(QPainter& painter, const MapPicture& picture, const MapLayout& layout);
void drawMapLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const TokenLabelStyle& style, const Theme& theme);
/// Returns, after a space, which of the cells that share a pixel is shown; empty if none share one.
QString sharedPixelsInWords(Pooling pooling, std::size_t rows, std::size_t columns);
/// Draw one label. Ignored if the axis has no labels.
void drawRowLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int row,
                  const TokenLabelStyle& style, const TokenInk& ink);
void drawColumnLabel(QPainter& painter, const MapPicture& picture, const MapLayout& layout, int column,
                     const TokenLabelStyle& style, const TokenInk& ink);

} // namespace headscope::widgets

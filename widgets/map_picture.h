#pragma once

#include <QRectF>
#include <QString>

#include "model/trace/matrix.h"
#include "widgets/colour_scale.h"
#include "widgets/map_layout.h"
#include "widgets/matrix_image.h"
#include "widgets/token_label.h"

#include <optional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A matrix with what stands around it. It looks at values that somebody else keeps alive.
struct MapPicture {
    trace::MatrixView values;
    const trace::MaskMatrix* mask = nullptr; ///< null: every cell is open
    const MatrixPyramid* pyramid = nullptr;  ///< of the same values and mask, if there are many cells
    ColourScale scale;
    std::vector<TokenLabel> rowLabels;
    std::vector<TokenLabel> columnLabels;
};

/// What is lit up or marked on a map.
struct MapMarks {
    std::optional<int> stepRow; ///< the row of the current decoding step
    std::optional<int> row;     ///< of the pointer or what is pinned
    std::optional<int> column;
};

/// The input of the layout for a picture in `area`; the caller may change it before laying out.
MapLayoutInput layoutInput(const MapPicture& picture, const TokenLabelStyle& style, const QRectF& area);

/// Up to 64 x 64 cells are rectangles, so that they stay sharp in SVG and PDF; more are an unsmoothed image.
void drawMapCells(QPainter& painter, const MapPicture& picture, const MapLayout& layout, const Theme& theme);
void drawMapLabels(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                   const TokenLabelStyle& style, const Theme& theme);
/// Lights a row and a column, with their labels, and marks the row of the current step.
void drawMapMarks(QPainter& painter, const MapPicture& picture, const MapLayout& layout,
                  const MapMarks& marks, const TokenLabelStyle& style, const Theme& theme);

/// An upright legend with its ticks at the right; `bar` is the coloured part.
void drawColourBar(QPainter& painter, const QRectF& bar, const ColourScale& scale, const QFont& font,
                   const Theme& theme);
/// Room a colour bar and its numbers need at the right of a map.
double colourBarWidth(const ColourScale& scale, const QFont& font);

/// Slanted lines over `area` on a lattice shared by all areas, as lines, so that every format shows them.
void drawHatch(QPainter& painter, const QRectF& area, const Theme& theme);

/// Words in the middle of a view that has nothing to show: what it would show, and what gets there.
void drawEmptyState(QPainter& painter, const QRectF& area, const QString& whatItShows,
                    const QString& wayThere, const Theme& theme);

} // namespace headscope::widgets

#pragma once

#include <QByteArray>
#include <QSize>

#include "widgets/export/figure_metadata.h"

namespace headscope::widgets {

class RecordedDrawing;

/// Returns a page for any browser: the drawing as SVG, and below it all of `metadata` but the title, which is
/// above. The values of maps are shown under the pointer, by the only script of the page; the page forbids
/// itself any other, and any access to the network.
QByteArray htmlPage(const RecordedDrawing& drawing, QSize size, const FigureMetadata& metadata, bool dark);

/// Number of cells up to which a page has values; more make it too large to be sent.
inline constexpr std::size_t mostCellsOfPage = 512 * 512;
/// Number of marks, rows and cells up to which a page describes them in words.
inline constexpr std::size_t mostMarksOfPage = 1 << 14;

} // namespace headscope::widgets

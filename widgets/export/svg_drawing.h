#pragma once

#include <QByteArray>
#include <QSize>

#include "widgets/drawing/recorded_steps.h"

#include <vector>

namespace headscope::widgets {

class RecordedDrawing;
/// What a page says under the pointer, in the units of the whole.
struct PageWords {
    std::vector<recorded::MapValues> maps;
    std::vector<recorded::AreaWords> marks;
};

/// Returns an SVG 1.1 document with one element per shape, in units of 1/96 inch. Text stays text, with
/// adjacent runs of a line joined; images are not smoothed. Used instead of QSvgGenerator (Qt 6.4), which
/// ignores clipping and repeats the font for every rectangle. `head` contains elements before the shapes.
QByteArray svgBytes(const RecordedDrawing& drawing, QSize size, const QByteArray& head);

/// Returns the same without the XML declaration, to be part of another document. If `words` is not null, adds
/// what the page says under the pointer.
QByteArray svgElement(const RecordedDrawing& drawing, QSize size, const QByteArray& head,
                      PageWords* words = nullptr);

} // namespace headscope::widgets

#pragma once

#include <QByteArray>
#include <QSize>

#include <vector>

namespace headscope::widgets {

class RecordedDrawing;
namespace recorded {
struct MapValues;
}

/// Returns an SVG 1.1 document with one element per shape, in units of 1/96 inch. Text stays text, with
/// adjacent runs of a line joined; images are not smoothed. Used instead of QSvgGenerator (Qt 6.4), which
/// ignores clipping and repeats the font for every rectangle. `head` contains elements before the shapes.
QByteArray svgBytes(const RecordedDrawing& drawing, QSize size, const QByteArray& head);

/// The same without the XML declaration, for another document. Appends the maps' values to `cells`, unless it
/// is null, in the units of the whole.
QByteArray svgElement(const RecordedDrawing& drawing, QSize size, const QByteArray& head,
                      std::vector<recorded::MapValues>* cells = nullptr);

} // namespace headscope::widgets

#pragma once

#include <QByteArray>
#include <QSize>

namespace headscope::widgets {

class RecordedDrawing;

/// A document of SVG 1.1 with an element for each shape of a drawing, in units of 1/96 inch. Text stays text,
/// runs of a line joined; images are not smoothed. QSvgGenerator of Qt 6.4 leaves clipping out, and says the
/// font again for every rectangle. `head` are elements that stand before the shapes.
QByteArray svgBytes(const RecordedDrawing& drawing, QSize size, const QByteArray& head);

} // namespace headscope::widgets

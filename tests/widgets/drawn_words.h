#pragma once

#include <QPainter>
#include <QWidget>

#include "widgets/recorded_drawing.h"
#include "widgets/svg_drawing.h"

namespace headscope::tests {

/// What a widget draws on the screen, as SVG, in which its words can be found.
inline QByteArray drawnWords(QWidget& widget) {
    using widgets::RecordedDrawing;
    RecordedDrawing drawing(RecordedDrawing::Target::Document);
    QPainter painter(&drawing);
    widget.render(&painter);
    painter.end();
    return widgets::svgBytes(drawing, widget.size(), {});
}

} // namespace headscope::tests

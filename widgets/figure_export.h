#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>

#include "widgets/figure_source.h"

#include <functional>

namespace headscope::widgets {

enum class FigureFormat { Png, Svg, Pdf };

/// A saved figure, or why there is none: exactly one of the two is empty.
struct FigureBytes {
    QByteArray bytes;
    QString error;
};

/// Draws a figure into a file's bytes. PNG carries its resolution (pHYs) and `text` as text chunks; SVG and
/// PDF carry real text and keep shapes as shapes, whatever `dpi` is. Qt gives an image that is too large no
/// word of explanation, so sizes are refused here first.
FigureBytes figureBytes(FigureFormat format, QSize pixelsAt96Dpi, int dpi,
                        const std::function<void(QPainter&, QSize)>& draw, const FigureText& text);
FigureBytes figureBytes(FigureFormat format, QSize pixelsAt96Dpi, int dpi, const FigureSource& source);

} // namespace headscope::widgets

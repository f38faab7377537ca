#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>

namespace headscope::widgets {

using FigureMetadata = QList<QPair<QString, QString>>;

/// Returns an SVG <metadata> element.
QByteArray svgMetadata(const FigureMetadata& metadata);

/// Returns the metadata as an XMP packet (ISO 16684-1), as used in PDF.
QByteArray xmpPacket(const FigureMetadata& metadata);

} // namespace headscope::widgets

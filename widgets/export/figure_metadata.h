#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>

namespace headscope::widgets {

using FigureMetadata = QList<QPair<QString, QString>>;

/// A <metadata> element of SVG.
QByteArray svgMetadata(const FigureMetadata& metadata);

/// The same as an XMP packet (ISO 16684-1), as PDF carries it.
QByteArray xmpPacket(const FigureMetadata& metadata);

} // namespace headscope::widgets

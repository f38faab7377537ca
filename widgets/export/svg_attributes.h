#pragma once

#include <QString>

class QBrush;
class QColor;
class QFont;
class QPainterPath;
class QPen;
class QTransform;

/// Attributes of SVG elements, each with a leading space. Values equal to shapeDefaults are omitted.
namespace headscope::widgets::svg {

/// Attributes of the group around all shapes: the defaults of Qt's pens.
inline constexpr char shapeDefaults[] =
    " fill-rule=\"evenodd\" stroke-linecap=\"square\" stroke-linejoin=\"bevel\"";

QString number(double value);
QString attribute(const char* name, const QString& value);
QString attribute(const char* name, double value);
QString matrix(const QTransform& transform);
QString pathData(const QPainterPath& path);
/// A colour with its opacity.
QString paint(const char* name, const QColor& colour);
QString fill(const QBrush& brush);
/// Empty if the pen draws nothing.
QString stroke(const QPen& pen);
/// The font family in use, with a generic fallback.
QString font(const QFont& font);

} // namespace headscope::widgets::svg

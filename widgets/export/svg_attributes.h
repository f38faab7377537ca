#pragma once

#include <QString>

class QBrush;
class QColor;
class QFont;
class QPainterPath;
class QPen;
class QTransform;

/// Attributes of SVG elements, each after a space. What shapeDefaults says is left out.
namespace headscope::widgets::svg {

/// Of the group around all shapes: as a pen of Qt's draws.
inline constexpr char shapeDefaults[] =
    " fill-rule=\"evenodd\" stroke-linecap=\"square\" stroke-linejoin=\"bevel\"";

QString number(double value);
QString attribute(const char* name, const QString& value);
QString attribute(const char* name, double value);
QString matrix(const QTransform& transform);
QString pathData(const QPainterPath& path);
/// A colour, and how much of it is seen.
QString paint(const char* name, const QColor& colour);
QString fill(const QBrush& brush);
/// Nothing where the pen draws nothing.
QString stroke(const QPen& pen);
/// Its family as it was found, with what a reader without it falls back to.
QString font(const QFont& font);

} // namespace headscope::widgets::svg

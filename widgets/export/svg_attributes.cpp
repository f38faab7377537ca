#include "widgets/export/svg_attributes.h"

#include "widgets/export/xml_text.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QFontInfo>
#include <QPainterPath>
#include <QPen>
#include <QStringList>
#include <QTransform>

#include <cassert>
#include <cmath>

namespace headscope::widgets::svg {

QString number(double value) {
    const double rounded = std::round(value * 1e4) / 1e4;
    return QString::number(rounded == 0 ? 0 : rounded, 'g', 9); // avoids -0
}

QString attribute(const char* name, const QString& value) {
    return QStringLiteral(" %1=\"%2\"").arg(QLatin1String(name), value);
}

QString attribute(const char* name, double value) {
    return attribute(name, number(value));
}

QString matrix(const QTransform& t) {
    QStringList parts;
    for (const double part : {t.m11(), t.m12(), t.m21(), t.m22(), t.dx(), t.dy()})
        parts += QString::number(part, 'g', 9);
    return QStringLiteral("matrix(%1)").arg(parts.join(','));
}

QString pathData(const QPainterPath& path) {
    QString data;
    for (int i = 0; i < path.elementCount(); ++i) {
        const auto element = path.elementAt(i);
        const char* const command = element.isMoveTo()                             ? "M"
                                    : element.isLineTo()                           ? "L"
                                    : element.type == QPainterPath::CurveToElement ? "C"
                                                                                   : " ";
        data += QLatin1String(command) + number(element.x) + ' ' + number(element.y);
    }
    return data;
}

QString paint(const char* name, const QColor& colour) {
    QString text = attribute(name, colour.name());
    if (colour.alpha() < 255)
        text += QStringLiteral(" %1-opacity=\"%2\"").arg(QLatin1String(name), number(colour.alphaF()));
    return text;
}

QString fill(const QBrush& brush) {
    // Patterns and gradients cannot be written; hatching is drawn as lines (widgets/drawing/hatch).
    assert(brush.style() == Qt::NoBrush || brush.style() == Qt::SolidPattern);
    return brush.style() == Qt::NoBrush ? attribute("fill", QStringLiteral("none"))
                                        : paint("fill", brush.color());
}

QString stroke(const QPen& pen) {
    if (pen.style() == Qt::NoPen)
        return {};
    const double width = pen.widthF() > 0 ? pen.widthF() : 1;
    QString text = paint("stroke", pen.color());
    if (width != 1)
        text += attribute("stroke-width", width);
    if (pen.isCosmetic())
        text += attribute("vector-effect", QStringLiteral("non-scaling-stroke"));
    if (pen.capStyle() != Qt::SquareCap)
        text += attribute("stroke-linecap", pen.capStyle() == Qt::RoundCap ? "round" : "butt");
    if (pen.joinStyle() != Qt::BevelJoin)
        text += attribute("stroke-linejoin", pen.joinStyle() == Qt::RoundJoin ? "round" : "miter");
    QStringList dashes;
    for (const double dash : pen.style() == Qt::SolidLine ? QList<qreal>() : pen.dashPattern())
        dashes += number(dash * width);
    if (!dashes.isEmpty())
        text += attribute("stroke-dasharray", dashes.join(','));
    if (!dashes.isEmpty() && pen.dashOffset() != 0)
        text += attribute("stroke-dashoffset", pen.dashOffset() * width);
    return text;
}

QString font(const QFont& font) {
    const QFontInfo found(font);
    const QString family = xmlText(found.family()).remove(QLatin1Char('\''));
    const char* const generic = found.fixedPitch() ? "monospace" : "sans-serif";
    QString text = attribute("font-family", QStringLiteral("'%1', %2").arg(family, QLatin1String(generic)));
    text += attribute("font-size", font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * 96 / 72);
    if (font.weight() != QFont::Normal)
        text += attribute("font-weight", font.weight());
    if (font.italic())
        text += attribute("font-style", QStringLiteral("italic"));
    return text;
}

} // namespace headscope::widgets::svg

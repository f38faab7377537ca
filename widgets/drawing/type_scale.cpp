#include "widgets/drawing/type_scale.h"

#include <QApplication>
#include <QFontInfo>
#include <QWidget>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr const char* roleProperty = "textRole";
constexpr double leastCaption = 8; ///< points

double sizeOf(TextRole role) {
    switch (role) {
    case TextRole::Display:
    case TextRole::Number:
        return 2;
    case TextRole::Title:
        return 1.25;
    case TextRole::Section:
        return 1.08;
    case TextRole::Body:
        return 1;
    case TextRole::Caption:
        return 0.9;
    }
    return 1;
}

} // namespace

QFont fontOf(TextRole role, const QFont& body) {
    QFont font = body;
    const double points = sizeOf(role) * body.pointSizeF();
    font.setPointSizeF(role == TextRole::Caption ? std::max(points, std::min(leastCaption, body.pointSizeF()))
                                                 : points);
    font.setBold(role < TextRole::Body);
    return font;
}

void setTextRole(QWidget* widget, TextRole role) {
    widget->setProperty(roleProperty, QVariant::fromValue(role));
    widget->setFont(fontOf(role, QApplication::font()));
}

void setTextSize(int percent) {
    static const QFont desktop = QApplication::font();
    QFont body = desktop;
    body.setPointSizeF(QFontInfo(desktop).pointSizeF() * percent / 100); // the font may be set in pixels
    if (body == QApplication::font())
        return;
    QApplication::setFont(body);
    for (QWidget* widget : QApplication::allWidgets())
        if (const auto role = widget->property(roleProperty); role.isValid())
            setTextRole(widget, role.value<TextRole>());
}

} // namespace headscope::widgets

#include "widgets/drawing/math_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <vector>

namespace headscope::widgets {

namespace {

enum class Style { Plain, Letter, Subscript };

struct Part {
    QString text;
    Style style = Style::Plain;
};

/// Symbols (sizes and tensors) are single capitals, h, and any single letter with a subscript.
bool isLetter(QString word, bool beforeSubscript) {
    word.remove(QStringLiteral("ᵀ")); // transposed
    return word.size() == 1 && word[0].isLetter() && (beforeSubscript || word[0].isUpper() || word == "h");
}

std::vector<Part> mathParts(const QString& text) {
    std::vector<Part> parts;
    for (qsizetype at = 0; at < text.size();) {
        const bool subscript = text[at] == '_' && at + 1 < text.size() && text[at + 1].isLetterOrNumber();
        const qsizetype begin = subscript ? at + 1 : at;
        qsizetype end = begin;
        while (end < text.size() && text[end].isLetterOrNumber())
            ++end;
        if (subscript) {
            parts.push_back({text.mid(begin, end - begin), Style::Subscript});
        } else if (end > begin) {
            const QString word = text.mid(begin, end - begin);
            const bool letter = isLetter(word, end < text.size() && text[end] == '_');
            parts.push_back({word, letter ? Style::Letter : Style::Plain});
        } else {
            parts.push_back({text.mid(at, 1)});
            end = at + 1;
        }
        at = end;
    }
    return parts;
}

QFont fontOf(QFont font, Style style) {
    if (style == Style::Letter)
        font.setItalic(true);
    if (style == Style::Subscript)
        font.pointSizeF() > 0 ? font.setPointSizeF(font.pointSizeF() * 0.75)
                              : font.setPixelSize(std::max(1, font.pixelSize() * 3 / 4));
    return font;
}

} // namespace

double mathWidth(const QFont& font, const QString& text) {
    double width = 0;
    for (const Part& part : mathParts(text))
        width += QFontMetricsF(fontOf(font, part.style)).horizontalAdvance(part.text);
    return width;
}

void drawMath(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QString& text) {
    const QFont font = painter.font();
    const QFontMetricsF metrics(font);
    const double spare = area.width() - mathWidth(font, text);
    double x = area.left() + (alignment & Qt::AlignRight     ? spare
                              : alignment & Qt::AlignHCenter ? spare / 2
                                                             : 0);
    const double base = area.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    for (const Part& part : mathParts(text)) {
        painter.setFont(fontOf(font, part.style));
        painter.drawText(QPointF(x, part.style == Style::Subscript ? base + metrics.descent() * 0.6 : base),
                         part.text);
        x += QFontMetricsF(painter.font()).horizontalAdvance(part.text);
    }
    painter.setFont(font);
}

} // namespace headscope::widgets

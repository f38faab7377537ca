#include "widgets/token_label.h"

#include "widgets/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(TokenLabel)
};

constexpr QChar spaceMark(0x2581);

bool isInvisible(char32_t c) {
    const auto category = QChar::category(c);
    return category == QChar::Other_Format || category == QChar::Other_Control ||
           category == QChar::Separator_Line || category == QChar::Separator_Paragraph ||
           (category == QChar::Separator_Space && c != U' ') || c == 0x115F || c == 0x3164;
}

void appendVisibly(QString& text, char32_t c) {
    if (c < 0x20)
        text += QChar(static_cast<char16_t>(0x2400 + c));
    else if (c == 0x7F)
        text += QChar(0x2421);
    else if (c == U' ')
        text += QChar(0x2423);
    else if (isInvisible(c))
        text += QStringLiteral("[U+%1]").arg(static_cast<uint>(c), 4, 16, QChar('0')).toUpper();
    else
        text += QString::fromUcs4(&c, 1);
}

/// The joiners shape emoji and Indic scripts: between visible characters they stay what they are.
bool isJoiner(char32_t c) {
    return c == 0x200C || c == 0x200D;
}

QString visible(const QString& piece) {
    QString text;
    const auto points = piece.toUcs4();
    for (qsizetype i = 0; i < points.size(); ++i)
        if (isJoiner(points[i]) && i > 0 && i + 1 < points.size())
            text += QString::fromUcs4(reinterpret_cast<const char32_t*>(&points[i]), 1);
        else
            appendVisibly(text, points[i]);
    return text;
}

QFont slanted(QFont font) {
    font.setItalic(true);
    return font;
}

} // namespace

TokenLabel tokenLabel(const trace::Token& token) {
    // Longer pieces exist in hostile vocabularies only, and laying them out would stall the window.
    constexpr qsizetype longest = 512;
    QString piece = QString::fromUtf8(token.piece.data(), static_cast<qsizetype>(token.piece.size()));
    if (piece.size() > longest)
        piece = piece.left(longest) + QChar(0x2026);
    TokenLabel label{.special = token.role != trace::TokenRole::Text};
    if (piece.startsWith(spaceMark)) {
        label.mark = spaceMark;
        piece.remove(0, 1);
    }
    label.text = visible(piece);
    if (label.full().isEmpty())
        label.text = QChar(0x2205);
    return label;
}

TokenInk TokenInk::onBackground(const Theme& theme) {
    return {theme.text, theme.faintText, theme.mark};
}

TokenInk TokenInk::on(const QColor& ground, const QColor& text) {
    const auto third = [](int one, int other) { return (2 * one + other) / 3; };
    const QColor mark(third(ground.red(), text.red()), third(ground.green(), text.green()),
                      third(ground.blue(), text.blue()));
    return {text, text, mark};
}

QString isolated(const QString& text) {
    return QChar(0x2068) + text + QChar(0x2069);
}

QString quoted(const TokenLabel& label) {
    constexpr QChar openBox(0x2423);
    return isolated(QChar(0x201C) + (label.text.isEmpty() ? QString(openBox) : label.text) + QChar(0x201D));
}

QString exactly(const TokenLabel& label) {
    const bool spaced = !label.mark.isEmpty() && !label.text.isEmpty();
    return spaced ? Words::tr("%1 after a space").arg(quoted(label)) : quoted(label);
}

/// The mark is not the font's U+2581, which is as wide and black as a word: it is a small open box.
double TokenLabelStyle::markWidth(const TokenLabel& label) const {
    if (label.mark.isEmpty() || !(spaceMarks || label.text.isEmpty()))
        return 0;
    return QFontMetricsF(font).xHeight() * (label.text.isEmpty() ? 1.0 : 0.7);
}

double TokenLabelStyle::width(const TokenLabel& label) const {
    const QFontMetricsF text(label.special ? slanted(font) : font);
    return text.horizontalAdvance(label.text) + markWidth(label) + 1;
}

double TokenLabelStyle::lineHeight() const {
    return QFontMetricsF(font).height();
}

bool TokenLabelStyle::isElided(const TokenLabel& label, double width) const {
    return this->width(label) > width + 0.5;
}

void TokenLabelStyle::drawMark(QPainter& painter, QPointF left, double width, const QColor& colour) const {
    const double baseline = std::round(left.y() + QFontMetricsF(font).ascent()) + 0.5;
    const double height = std::round(width / 2.5);
    const double right = left.x() + width - std::max(1.0, width / 4);
    painter.setRenderHint(QPainter::Antialiasing); // labels may be turned
    painter.setPen(QPen(colour, 1, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(QPolygonF({QPointF(left.x(), baseline - height), QPointF(left.x(), baseline),
                                    QPointF(right, baseline), QPointF(right, baseline - height)}));
}

void TokenLabelStyle::draw(QPainter& painter, const QRectF& area, Qt::Alignment alignment,
                           const TokenLabel& label, const TokenInk& ink) const {
    const QFont textFont = label.special ? slanted(font) : font;
    const double mark = markWidth(label);
    const double whole = std::min(width(label), area.width());
    double x = area.left();
    if (alignment & Qt::AlignRight)
        x = area.right() - whole;
    else if (alignment & Qt::AlignHCenter)
        x = area.center().x() - whole / 2;

    painter.save();
    const QRectF line(x, area.top(), whole, area.height());
    if (mark > 0) {
        // Where there is nothing else, the mark is the text.
        const double top = area.center().y() - lineHeight() / 2;
        drawMark(painter, {std::round(x) + 0.5, top}, mark, label.text.isEmpty() ? ink.text : ink.mark);
    }
    painter.setFont(textFont);
    painter.setPen(label.special ? ink.special : ink.text);
    const QRectF rest = line.adjusted(mark, 0, 1, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
                     QFontMetricsF(textFont).elidedText(label.text, Qt::ElideRight, rest.width()));
    painter.restore();
}

} // namespace headscope::widgets

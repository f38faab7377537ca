#include "widgets/controls/text_band.h"

#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/plain_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double textMargin = 8;

} // namespace

TextBand::TextBand(QWidget* parent) : QWidget(parent) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Texts, compared"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

double TextBand::lineHeight() const {
    return std::ceil(QFontMetricsF(font()).height() + 10);
}

QSize TextBand::sizeHint() const {
    const int height = static_cast<double>(lines_.size()) * lineHeight() + 4;
    return {400, height};
}

void TextBand::setLines(std::vector<Line> lines) {
    lines_ = std::move(lines);
    QStringList read;
    for (const Line& line : lines_)
        read += line.name + QStringLiteral(": ") + joinedWords(line.words);
    describeForReaders(this, read.join(QStringLiteral(". ")));
    setToolTip(plainToolTip(read.join(QChar('\n'))));
    updateGeometry();
    update();
}

void TextBand::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont small = smallFont(font());
    const double gutter = stepGutter(font());
    double top = 0;
    for (const Line& line : lines_) {
        const QRectF row(textMargin, top, width() - 2 * textMargin, lineHeight());
        painter.setFont(small);
        painter.setPen(theme.faintText);
        painter.drawText(QRectF(row.left(), row.top(), gutter - textMargin - 4, row.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(small).elidedText(line.name, Qt::ElideRight, gutter - textMargin - 4));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, line.score);
        const double end = row.right() - QFontMetricsF(small).horizontalAdvance(line.score) - 12;
        drawOutlinedWords(painter, QRectF(gutter, row.top(), end - gutter, row.height()), line.words, font(),
                          line.isFaint ? theme.faintText : theme.text, theme);
        top += lineHeight();
    }
}

} // namespace headscope::widgets

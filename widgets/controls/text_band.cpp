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

bool beginsWithSpace(const trace::Token& token) {
    return !tokenLabel(token).mark.isEmpty();
}

} // namespace

std::vector<TextBand::Word> wordsOf(const std::vector<trace::Token>& tokens,
                                    const std::vector<analysis::OutputWord>& words) {
    const bool isMarked = std::ranges::any_of(tokens, beginsWithSpace);
    std::vector<TextBand::Word> made;
    for (const auto& word : words) {
        QString text;
        for (std::size_t t = word.begin; t < word.end; ++t)
            if (!trace::isSpecial(tokens[t].role))
                text += tokenLabel(tokens[t]).text;
        if (text.isEmpty())
            continue;
        const bool isSpaced = !made.empty() && (!isMarked || beginsWithSpace(tokens[word.begin]));
        made.push_back({(isSpaced ? QStringLiteral(" ") : QString()) + text, word.changed});
    }
    return made;
}

TextBand::TextBand(QWidget* parent) : QWidget(parent) {
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
    for (const Line& line : lines_) {
        QString text;
        for (const Word& word : line.words)
            text += word.text;
        read += line.name + QStringLiteral(": ") + text;
    }
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
        double x = gutter;
        for (const Word& word : line.words) {
            const QFont own = word.changed ? boldFont(font()) : font();
            const QFontMetricsF metrics(own);
            const bool isSpaced = word.text.startsWith(' ');
            const QString text = isSpaced ? word.text.mid(1) : word.text;
            x += isSpaced ? metrics.horizontalAdvance(' ') + (word.changed ? 4 : 0) : 0;
            const double wide = metrics.horizontalAdvance(text);
            painter.setFont(own);
            if (x + wide > end) {
                painter.setPen(theme.text);
                painter.drawText(QPointF(x, row.center().y() + metrics.ascent() / 2 - 1),
                                 metrics.elidedText(text + QChar(0x2026), Qt::ElideRight, end - x));
                break;
            }
            if (word.changed) {
                painter.setPen(QPen(theme.accent, 1));
                painter.setBrush(bandColour(theme));
                painter.drawRoundedRect(QRectF(x - 4, row.center().y() - metrics.height() / 2 - 1.5, wide + 8,
                                               metrics.height() + 3),
                                        3, 3);
            }
            painter.setPen(line.isFaint ? theme.faintText : theme.text);
            painter.drawText(QRectF(x, row.top(), wide + 2, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                             text);
            x += wide + (word.changed ? 4 : 0);
        }
        top += lineHeight();
    }
}

} // namespace headscope::widgets

#include "widgets/drawing/outlined_words.h"

#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr double besideWord = 4; ///< room for the outline

bool beginsWithSpace(const trace::Token& token) {
    return !tokenLabel(token).mark.isEmpty();
}

} // namespace

std::vector<OutlinedWord> wordsOf(const std::vector<trace::Token>& tokens,
                                  const std::vector<analysis::OutputWord>& words) {
    const bool isMarked = std::ranges::any_of(tokens, beginsWithSpace);
    std::vector<OutlinedWord> made;
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

QString joinedWords(const std::vector<OutlinedWord>& words) {
    QString text;
    for (const auto& word : words)
        text += word.text;
    return text;
}

double outlinedLine(const QFont& font) {
    return std::ceil(QFontMetricsF(font).height() + 5);
}

void drawOutlinedWords(QPainter& painter, const QRectF& area, const std::vector<OutlinedWord>& words,
                       const QFont& font, const QColor& ink, const Theme& theme) {
    const int lines = std::max(1.0, area.height() / outlinedLine(font));
    const double high = area.height() / lines;
    double x = area.left();
    int line = 0;
    for (const OutlinedWord& word : words) {
        const QFont own = word.changed ? boldFont(font) : font;
        const QFontMetricsF metrics(own);
        const bool isSpaced = word.text.startsWith(' ');
        const QString text = isSpaced ? word.text.mid(1) : word.text;
        const double wide = metrics.horizontalAdvance(text);
        x += isSpaced ? metrics.horizontalAdvance(' ') + (word.changed ? besideWord : 0) : 0;
        if (x + wide > area.right() && line + 1 < lines && isSpaced) {
            ++line;
            x = area.left() + (word.changed ? besideWord : 0);
        }
        const QRectF row(area.left(), area.top() + line * high, area.width(), high);
        painter.setFont(own);
        if (x + wide > row.right()) {
            painter.setPen(theme.text);
            painter.drawText(QPointF(x, row.center().y() + metrics.ascent() / 2 - 1),
                             metrics.elidedText(text + QChar(0x2026), Qt::ElideRight, row.right() - x));
            break;
        }
        if (word.changed) {
            painter.setPen(QPen(theme.accent, 1));
            painter.setBrush(bandColour(theme));
            painter.drawRoundedRect(QRectF(x - besideWord, row.center().y() - metrics.height() / 2 - 1.5,
                                           wide + 2 * besideWord, metrics.height() + 3),
                                    3, 3);
        }
        painter.setPen(ink);
        painter.drawText(QRectF(x, row.top(), wide + 2, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         text);
        x += wide + (word.changed ? besideWord : 0);
    }
}

} // namespace headscope::widgets

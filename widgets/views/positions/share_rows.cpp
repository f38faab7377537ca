#include "widgets/views/positions/share_rows.h"

#include "widgets/drawing/hatch.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

struct ShareRowsWords {
    Q_DECLARE_TR_FUNCTIONS(ShareRows)
};

constexpr double shareRowsGap = 12;

/// Position is striped, so that the two differ not only in colour.
void fillPart(QPainter& painter, const QRectF& part, bool position, const Theme& theme) {
    const QColor colour = categoryColours(theme).at(position ? 1 : 0);
    if (!position) {
        painter.fillRect(part, colour);
        return;
    }
    drawStripes(painter, part, colour, 5);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

double ShareRows::rowHeight() const {
    return std::ceil(style.lineHeight()) + 6;
}

ShareRows::Columns ShareRows::columns(const QRectF& row) const {
    const QFontMetricsF metrics(style.font);
    double widest = metrics.horizontalAdvance(ShareRowsWords::tr("token"));
    for (const TokenLabel& label : labels)
        widest = std::max(widest, style.width(label));
    const double number = std::max(metrics.horizontalAdvance(QStringLiteral("−0.0000")),
                                   std::max(metrics.horizontalAdvance(ShareRowsWords::tr("word")),
                                            metrics.horizontalAdvance(ShareRowsWords::tr("position"))) +
                                       metrics.height());
    const double token = std::min(widest, row.width() * 0.3);
    const double bar = std::max(0.0, row.width() - token - 2 * number - 3 * shareRowsGap);
    Columns columns;
    columns.token = QRectF(row.left(), row.top(), token, row.height());
    columns.bar = QRectF(columns.token.right() + shareRowsGap, row.top(), bar, row.height());
    columns.word = QRectF(columns.bar.right() + shareRowsGap, row.top(), number, row.height());
    columns.position = QRectF(columns.word.right() + shareRowsGap, row.top(), number, row.height());
    return columns;
}

void ShareRows::drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const {
    const Columns at = columns(row);
    painter.setFont(style.font);
    painter.setPen(theme.faintText);
    painter.drawText(at.token, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     ShareRowsWords::tr("token"));
    const QString shares = ShareRowsWords::tr("share of word + position");
    painter.drawText(at.bar, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(shares, Qt::ElideRight, int(at.bar.width())));
    const double side = QFontMetricsF(style.font).height() * 0.6;
    for (const auto& [column, title, position] :
         {std::tuple(at.word, ShareRowsWords::tr("word"), false),
          std::tuple(at.position, ShareRowsWords::tr("position"), true)}) {
        painter.setPen(theme.faintText);
        painter.drawText(column, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, title);
        const double wide = QFontMetricsF(style.font).horizontalAdvance(title);
        fillPart(painter,
                 QRectF(std::floor(column.right() - wide - side - 5),
                        std::floor(column.center().y() - side / 2), std::ceil(side), std::ceil(side)),
                 position, theme);
    }
    painter.fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line);
}

void ShareRows::drawBar(QPainter& painter, const QRectF& area, const analysis::EmbeddingShare& share,
                        const Theme& theme) const {
    double least = 0; // of all rows, so that bars are comparable
    double most = 1;
    for (const auto& each : shares)
        if (std::isfinite(each.word)) {
            least = std::min({least, each.word, each.position});
            most = std::max({most, each.word, each.position});
        }
    const auto x = [&](double value) {
        return area.left() + (value - least) / (most - least) * area.width();
    };
    const auto part = [&](double from, double to, bool position) {
        fillPart(painter, QRectF(x(from), area.top(), x(to) - x(from), area.height()), position, theme);
    };
    if (std::isfinite(share.word)) {
        const bool away = share.word < 0 || share.position < 0;
        const double word = share.word;
        const double position = share.position;
        part(std::min(0.0, word), std::max(0.0, word), false);
        if (away)
            part(std::min(0.0, position), std::max(0.0, position), true);
        else
            part(word, 1, true);
    }
    for (const double value : {0.0, 1.0})
        if (least < 0 || most > 1)
            painter.fillRect(QRectF(x(value) - 0.5, area.top() - 3, 1, area.height() + 6), theme.text);
}

void ShareRows::drawRow(QPainter& painter, const QRectF& row, std::size_t index, const Theme& theme) const {
    const Columns at = columns(row);
    style.draw(painter, at.token, Qt::AlignLeft | Qt::AlignVCenter, labels[index],
               TokenInk::onBackground(theme));
    drawBar(painter, at.bar.adjusted(0, 4, 0, -4), shares[index], theme);
    painter.setFont(style.font);
    painter.setPen(theme.text);
    for (const auto& [column, value] :
         {std::pair(at.word, shares[index].word), std::pair(at.position, shares[index].position)})
        painter.drawText(column, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         std::isfinite(value) ? numberText(value) : QStringLiteral("–"));
}

QString ShareRows::inWords(std::size_t index) const {
    const auto& share = shares[index];
    if (!std::isfinite(share.word))
        return ShareRowsWords::tr("%1: word and position cancel each other").arg(quoted(labels[index]));
    return ShareRowsWords::tr("%1: word %2, position %3 of their sum; norms %4 and %5")
        .arg(quoted(labels[index]), numberText(share.word), numberText(share.position),
             QString::number(share.wordLength, 'g', 4), QString::number(share.positionLength, 'g', 4));
}

} // namespace headscope::widgets

#include "widgets/views/positions/head_shares_picture.h"

#include "widgets/drawing/hatch.h"
#include "widgets/drawing/plot_legend.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

using analysis::ScoreOrigin;

struct HeadSharesWords {
    Q_DECLARE_TR_FUNCTIONS(HeadSharesPicture)
};

/// Of different lightness, so that parts differ in grey, too.
QColor colourOf(ScoreOrigin origin, const Theme& theme) {
    const auto& colours = categoryColours(theme);
    return origin == ScoreOrigin::Content ? colours[4]
           : origin == ScoreOrigin::Bias  ? theme.outline
                                          : colours[0];
}

/// Mixed is striped in the colour of position.
void fillShare(QPainter& painter, const QRectF& part, ScoreOrigin origin, const Theme& theme) {
    const QColor colour = colourOf(origin, theme);
    if (origin != ScoreOrigin::Mixed)
        return painter.fillRect(part, colour);
    drawStripes(painter, part, colour, 5);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
}

QFont boldOf(QFont font) {
    font.setBold(true);
    return font;
}

} // namespace

HeadSharesPicture::HeadSharesPicture(std::vector<Row> rows, std::vector<ScoreOrigin> origins, int chosen)
    : rows_(std::move(rows)), origins_(std::move(origins)), chosen_(chosen) {
    const auto rank = [](ScoreOrigin origin) { // what is about positions, first
        return origin == ScoreOrigin::Position  ? 0
               : origin == ScoreOrigin::Mixed   ? 1
               : origin == ScoreOrigin::Content ? 2
                                                : 3;
    };
    std::ranges::sort(origins_, {}, rank);
    for (int row = 0; row < this->rows(); ++row) {
        double below = 0, above = 0;
        for (int column = 0; column < columns(); ++column)
            (share(row, column) < 0 ? below : above) += share(row, column);
        least_ = std::min(least_, below);
        most_ = std::max(most_, above);
    }
}

double HeadSharesPicture::namesWidth(const QFont& font) const {
    const QFontMetricsF metrics(boldOf(font));
    double widest = 0;
    for (const Row& row : rows_)
        widest = std::max(widest, metrics.horizontalAdvance(row.head));
    return widest + 8;
}

double HeadSharesPicture::legend(QPainter* painter, const QRectF& area, const QFont& font,
                                 const Theme& theme) const {
    std::vector<LegendEntry> entries;
    for (const ScoreOrigin origin : origins_)
        entries.push_back({[origin, &theme](QPainter& onto, const QRectF& sample) {
                               fillShare(onto, sample, origin, theme);
                           },
                           originName(origin)});
    return drawLegend(painter, area, entries, font, theme);
}

QRectF HeadSharesPicture::rowPlace(int row, const QRectF& area, const QFont& font) const {
    const double line = std::ceil(QFontMetricsF(font).height());
    const double below = legend(nullptr, area, font, lightTheme()) + line + 4;
    const double height = std::min(1.7 * line, (area.height() - below) / std::max(1, rows()));
    return {area.left(), area.top() + line + 4 + row * height, area.width(), height};
}

QRectF HeadSharesPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const QRectF row = rowPlace(mark.row, area, font);
    const double names = namesWidth(font);
    const double scale = std::max(1.0, row.width() - names) / (most_ - least_);
    double left = 0;
    const double own = share(mark.row, mark.column);
    for (int column = 0; column < mark.column; ++column)
        if ((share(mark.row, column) < 0) == (own < 0))
            left += share(mark.row, column);
    const double from = std::min(left, left + own);
    const double pad = std::max(1.0, 0.16 * row.height());
    return {row.left() + names + (from - least_) * scale, row.top() + pad, std::abs(own) * scale,
            row.height() - 2 * pad};
}

std::optional<MapCell> HeadSharesPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    for (int row = 0; row < rows(); ++row) {
        if (!rowPlace(row, area, font).contains(point))
            continue;
        int nearest = 0;
        double least = INFINITY;
        for (int column = 0; column < columns(); ++column) {
            const QRectF part = place({row, column}, area, font);
            const double away = std::max({part.left() - point.x(), point.x() - part.right(), 0.0});
            if (away < least)
                std::tie(nearest, least) = std::pair(column, away);
        }
        return MapCell{row, nearest};
    }
    return std::nullopt;
}

QString HeadSharesPicture::columnName(int column) const {
    return originName(origins_[column]);
}

QString HeadSharesPicture::inWords(MapCell mark) const {
    const Row& row = rows_[mark.row];
    if (row.shares.rows == 0)
        return HeadSharesWords::tr("%1: no row has two allowed keys with different scores").arg(row.head);
    QStringList parts;
    for (int column = 0; column < columns(); ++column)
        parts += HeadSharesWords::tr("%1 %2").arg(columnName(column), numberText(share(mark.row, column)));
    const QString words = HeadSharesWords::tr("%1, shares of the variance of its scores: %2")
                              .arg(row.head, parts.join(QStringLiteral(", ")));
    const double own = share(mark.row, mark.column);
    return own < 0 || own > 1 ? words + QStringLiteral(". ") + sharesBeyondInWords() : words;
}

void HeadSharesPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                             const Theme& theme) const {
    if (rows_.empty())
        return;
    const QFontMetricsF metrics(font);
    const double names = namesWidth(font);
    painter.setFont(font);
    painter.setPen(theme.faintText);
    const QString words = HeadSharesWords::tr("share of the scores' variance, %");
    // Above the bars, or where they are short above the names, too.
    const double left = std::clamp(area.width() - metrics.horizontalAdvance(words), 0.0, names);
    const QRectF title =
        QRectF(area.topLeft(), QSizeF(area.width(), metrics.height())).adjusted(left, 0, 0, 0);
    painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(words, Qt::ElideRight, title.width()));
    for (int row = 0; row < rows(); ++row) {
        const QRectF all = rowPlace(row, area, font);
        const bool isChosen = row == chosen_;
        if (isChosen)
            painter.fillRect(all, theme.panel);
        painter.setFont(isChosen ? boldOf(font) : font);
        painter.setPen(theme.text);
        if (all.height() >= 0.9 * metrics.height() || row % 2 == 0)
            painter.drawText(
                QRectF(all.left(), all.center().y() - metrics.height(), names, 2 * metrics.height()),
                Qt::AlignLeft | Qt::AlignVCenter, rows_[row].head);
        painter.setFont(font);
        if (rows_[row].shares.rows == 0)
            continue;
        for (int column = 0; column < columns(); ++column) {
            const QRectF part = place({row, column}, area, font);
            fillShare(painter, part, origins_[column], theme);
            const QString number = shownNumber(QString::number(std::round(100 * share(row, column))));
            const double wide = metrics.horizontalAdvance(number) + 4;
            if (part.width() < wide + 6 || part.height() < 0.9 * metrics.height())
                continue;
            const bool isMixed = origins_[column] == ScoreOrigin::Mixed;
            const QRectF middle(part.center().x() - wide / 2, part.top() + 1, wide, part.height() - 2);
            if (isMixed)
                painter.fillRect(middle, theme.background);
            painter.setPen(isMixed ? theme.text : readableOn(colourOf(origins_[column], theme)));
            painter.drawText(middle.adjusted(0, -2, 0, 2), Qt::AlignCenter, number);
        }
    }
    const QRectF last = rowPlace(rows(), area, font);
    if (least_ < 0) {
        const double zero = area.left() + names - least_ * (area.width() - names) / (most_ - least_);
        const double top = rowPlace(0, area, font).top();
        painter.fillRect(QRectF(zero - 0.5, top, 1, last.top() - top), theme.text);
    }
    legend(&painter, QRectF(area.left(), last.top() + 4, area.width(), area.bottom() - last.top()), font,
           theme);
}

} // namespace headscope::widgets

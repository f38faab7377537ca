#include "widgets/map/map_extras.h"

#include "model/analysis/maps/weights_and_cause.h"
#include "widgets/drawing/minus_strokes.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double mapExtrasGap = 10; ///< clear of the mark of the current step

struct MapExtrasWords {
    Q_DECLARE_TR_FUNCTIONS(MapExtras)
};

double namesRoom(const ShownMap& shown, const QFont& font) {
    return shown.divider ? QFontMetricsF(font).height() + mapExtrasGap : 0;
}

bool isOpen(const ShownMap& shown, std::size_t row, std::size_t column) {
    return shown.mask(row, column) != 0 && std::isfinite(shown.values(row, column));
}

/// Calls `visit` for the visible allowed cells only, because long maps have millions of cells.
template <class Visit>
void forSeenCells(const ShownMap& shown, const MapLayout& layout, Visit&& visit) {
    const auto indices = [](double from, double to, std::size_t count) {
        const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
        const auto last = static_cast<std::size_t>(std::max(0.0, std::ceil(to)));
        return std::pair(first, std::min(count, last));
    };
    const QRectF window = layout.window();
    const auto [top, bottom] = indices(window.top(), window.bottom(), shown.values.rows());
    const auto [left, right] = indices(window.left(), window.right(), shown.values.columns());
    for (std::size_t r = top; r < bottom; ++r)
        for (std::size_t c = left; c < right; ++c)
            if (isOpen(shown, r, c))
                visit(r, c);
}

int decimalsOf(const ShownMap& shown, const MapLayout& layout) {
    double largest = 0;
    forSeenCells(shown, layout, [&](std::size_t r, std::size_t c) {
        largest = std::max(largest, std::abs(static_cast<double>(shown.values(r, c))));
    });
    return largest > 0 ? std::clamp(1 - qFloor(std::log10(largest) - 1e-6), 0, 6) : 0;
}

/// True if the number rounds to 0.
bool isNearlyNothing(float value, int decimals) {
    return QString::number(static_cast<double>(value), 'f', decimals).toDouble() == 0;
}

QFont numberFont(QFont font) {
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.85);
    return font;
}

/// The visible extent of the keys [first, last) on their axis.
QRectF keysRect(const ShownMap& shown, const MapLayout& layout, std::size_t first, std::size_t last) {
    const auto band = [&](std::size_t key) {
        const int k = key;
        return shown.transposed ? layout.cellRect(k, 0) : layout.cellRect(0, k);
    };
    const QRectF both = band(first) | band(last - 1);
    const QRectF plot = layout.plot();
    return shown.transposed ? QRectF(plot.left(), both.top(), plot.width(), both.height()) & plot
                            : QRectF(both.left(), plot.top(), both.width(), plot.height()) & plot;
}

/// Draws the name of source or target and a line along its keys, below or right of the map.
void nameSide(QPainter& painter, const ShownMap& shown, const QRectF& keys, const QString& name,
              const QFont& font, const Theme& theme) {
    if (keys.isEmpty())
        return;
    const double height = QFontMetricsF(font).height();
    painter.save();
    double length = keys.width();
    if (shown.transposed) {
        painter.translate(keys.right() + mapExtrasGap - 3, keys.bottom());
        painter.rotate(-90);
        length = keys.height();
    } else {
        painter.translate(keys.left(), keys.bottom() + mapExtrasGap - 3);
    }
    painter.setPen(theme.faintText);
    painter.drawLine(QPointF(2, 0), QPointF(length - 3, 0));
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, 2, length, height), Qt::AlignCenter,
                     QFontMetricsF(font).elidedText(name, Qt::ElideRight, length));
    painter.restore();
}

/// The part of a key's band that belongs to one of its tokens.
QRectF pieceRect(const ShownMap& shown, const QRectF& band, std::size_t piece, std::size_t pieces) {
    const double from = static_cast<double>(piece) / static_cast<double>(pieces);
    const double part = 1 / static_cast<double>(pieces);
    return shown.transposed
               ? QRectF(band.left(), band.top() + from * band.height(), band.width(), part * band.height())
               : QRectF(band.left() + from * band.width(), band.top(), part * band.width(), band.height());
}

/// If all losses round to 0, scaling them to the largest would show noise as tall bars.
bool anyMatters(double largestLoss) {
    return largestLoss >= analysis::WeightsAndCause::least;
}

/// Draws the largest loss after the bars, and the name beside it or before the bars.
void nameLosses(QPainter& painter, const QRectF& plot, double zero, const Losses& losses, double largest,
                const QFont& font, const Theme& theme) {
    const QFontMetricsF metrics(font);
    const double baseline = zero + metrics.capHeight() / 2;
    const QString most =
        anyMatters(largest)
            ? MapExtrasWords::tr("\u00B1%1").arg(QString::number(largest, 'g', 2))
            : MapExtrasWords::tr("<%1").arg(QString::number(analysis::WeightsAndCause::least));
    const QString after = losses.nameBefore ? most : losses.name + ' ' + most;
    painter.setFont(font);
    painter.setPen(theme.faintText);
    if (losses.nameBefore)
        painter.drawText(
            QPointF(plot.left() - mapExtrasGap - metrics.horizontalAdvance(losses.name), baseline),
            losses.name);
    if (plot.right() + mapExtrasGap / 2 + metrics.horizontalAdvance(after) <= losses.right)
        painter.drawText(QPointF(plot.right() + mapExtrasGap / 2, baseline), after);
}

} // namespace

QString cellNumber(float value, int decimals) {
    if (value == 0)
        return QStringLiteral("0");
    if (!isNearlyNothing(value, decimals))
        return shownNumber(QString::number(static_cast<double>(value), 'f', decimals));
    const QString least = decimals == 0
                              ? QStringLiteral("1")
                              : QStringLiteral(".%1").arg(QStringLiteral("1").rightJustified(decimals, '0'));
    return shownNumber((value > 0 ? QStringLiteral("<") : QStringLiteral(">-")) + least);
}

QMarginsF extrasRoom(const ShownMap& shown, double barLength, const QFont& font) {
    const double room =
        namesRoom(shown, font) + (barLength > 0 && !shown.empty() ? mapExtrasGap + barLength : 0);
    return shown.transposed ? QMarginsF(0, 0, room, 0) : QMarginsF(0, 0, 0, room);
}

void drawTwoSides(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const QFont& font,
                  const Theme& theme) {
    if (!shown.divider || layout.empty())
        return;
    const QRectF source = keysRect(shown, layout, 0, *shown.divider);
    const QRectF target = keysRect(shown, layout, *shown.divider, shown.keys.spans.size());
    painter.save();
    painter.setFont(font);
    nameSide(painter, shown, source, MapExtrasWords::tr("source"), font, theme);
    nameSide(painter, shown, target, MapExtrasWords::tr("target so far"), font, theme);
    if (!source.isEmpty() && !target.isEmpty()) {
        const QPointF from = target.topLeft();
        const QPointF to = shown.transposed ? target.topRight() : target.bottomLeft();
        painter.setPen(QPen(theme.background, 5));
        painter.drawLine(from, to);
        painter.setPen(QPen(theme.text, 2));
        painter.drawLine(from, to);
    }
    painter.restore();
}

void drawReceived(QPainter& painter, const ShownMap& shown, const Received& received,
                  const MapPicture& picture, const MapLayout& layout, double barLength, const QFont& font,
                  const Theme& theme) {
    const double longest = std::abs(received.longest);
    if (longest == 0 || layout.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double away = mapExtrasGap + namesRoom(shown, font);
    const QRectF plot = layout.plot();
    for (std::size_t key = 0; key < received.sums.size(); ++key) {
        const QRectF band = keysRect(shown, layout, key, key + 1);
        const double length = std::round(barLength * std::abs(received.sums[key]) / longest);
        if (band.isEmpty() || length == 0)
            continue;
        const QColor colour = !picture.scale.isDiverging()
                                  ? theme.accent
                                  : QColor(picture.scale.colourAt(received.sums[key] < 0 ? 0.15 : 0.85));
        const double hair = std::min(band.width(), band.height()) >= 8 ? 1 : 0;
        const QRectF bar = shown.transposed
                               ? QRectF(plot.right() + away, band.top(), length, band.height() - hair)
                               : QRectF(band.left(), plot.bottom() + away, band.width() - hair, length);
        painter.fillRect(bar, colour);
        if (received.sums[key] < 0)
            drawMinusOnBar(painter, bar, shown.transposed, colour, theme);
    }
    painter.setPen(theme.line);
    if (shown.transposed)
        painter.drawLine(QPointF(plot.right() + away - 1, plot.top()),
                         QPointF(plot.right() + away - 1, plot.bottom()));
    else
        painter.drawLine(QPointF(plot.left(), plot.bottom() + away - 1),
                         QPointF(plot.right(), plot.bottom() + away - 1));
    painter.restore();
}

double lossesRoom(double barLength) {
    return mapExtrasGap + barLength;
}

void drawLosses(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Losses& losses,
                const QFont& font, const Theme& theme) {
    if (layout.empty())
        return;
    double largest = 0;
    for (const double loss : losses.losses)
        largest = std::isfinite(loss) ? std::max(largest, std::abs(loss)) : largest;
    const QRectF plot = layout.plot();
    const double zero = std::round((shown.transposed ? plot.right() : plot.bottom()) + losses.away +
                                   mapExtrasGap + losses.length / 2);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t key = 0; key < shown.keys.spans.size() && anyMatters(largest); ++key) {
        const auto& span = shown.keys.spans[key];
        const QRectF band = keysRect(shown, layout, key, key + 1);
        for (std::size_t token = span.first; token < std::min(span.last, losses.losses.size()); ++token) {
            const double loss = losses.losses[token];
            const double length = std::round(loss / largest * losses.length / 2);
            if (band.isEmpty() || !std::isfinite(loss) || length == 0)
                continue;
            const QRectF piece = pieceRect(shown, band, token - span.first, span.last - span.first);
            const double hair = std::min(piece.width(), piece.height()) >= 8 ? 1 : 0;
            const QRectF bar = shown.transposed ? QRectF(zero, piece.top(), -length, piece.height() - hair)
                                                : QRectF(piece.left(), zero, piece.width() - hair, -length);
            painter.fillRect(bar.normalized(), length > 0 ? aboveZeroColour(theme) : belowZeroColour(theme));
        }
    }
    painter.setPen(theme.line);
    painter.drawLine(shown.transposed ? QPointF(zero, plot.top()) : QPointF(plot.left(), zero),
                     shown.transposed ? QPointF(zero, plot.bottom()) : QPointF(plot.right(), zero));
    if (!shown.transposed && largest > 0) // if transposed, the order is in the caption
        nameLosses(painter, plot, zero, losses, largest, font, theme);
    painter.restore();
}

bool cellNumbersFit(const ShownMap& shown, const MapLayout& layout, const QFont& font) {
    if (shown.empty() || layout.empty())
        return false;
    const QFontMetricsF metrics(numberFont(font));
    const QSizeF cell = layout.cellSize();
    if (cell.height() < metrics.height() || cell.width() < metrics.horizontalAdvance("0.0"))
        return false; // early exit for large maps
    const int decimals = decimalsOf(shown, layout);
    double widest = 0;
    forSeenCells(shown, layout, [&](std::size_t r, std::size_t c) {
        widest = std::max(widest, metrics.horizontalAdvance(cellNumber(shown.values(r, c), decimals)));
    });
    return widest + 4 <= cell.width();
}

void drawCellNumbers(QPainter& painter, const ShownMap& shown, const MapPicture& picture,
                     const MapLayout& layout, const QFont& font) {
    if (!cellNumbersFit(shown, layout, font))
        return;
    painter.save();
    painter.setClipRect(layout.plot(), Qt::IntersectClip);
    painter.setFont(numberFont(font));
    const int decimals = decimalsOf(shown, layout);
    forSeenCells(shown, layout, [&](std::size_t r, std::size_t c) {
        const QRectF cell = layout.cellRect(r, c);
        if (!cell.intersects(layout.plot()))
            return;
        const QColor ground(picture.scale.colour(picture.values(r, c)));
        const bool lightInk = contrastRatio(Qt::white, ground) > contrastRatio(Qt::black, ground);
        QColor ink = lightInk ? Qt::white : Qt::black;
        if (isNearlyNothing(shown.values(r, c), decimals))
            ink.setAlpha(96);
        painter.setPen(ink);
        painter.drawText(cell, Qt::AlignCenter, cellNumber(shown.values(r, c), decimals));
    });
    painter.restore();
}

void drawWeakRows(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.bad, 1, Qt::DashLine));
    for (const std::size_t query : shown.weak) {
        const int index = query;
        const QRectF band = shown.transposed ? layout.columnRect(index) : layout.rowRect(index);
        if (!band.isEmpty())
            painter.drawRect(band.adjusted(0.5, 0.5, -1.5, -1.5));
    }
    painter.restore();
}

bool isWithoutCausalMask(const ShownMap& shown) {
    const auto& keys = shown.keys.spans;
    if (shown.kind != trace::AttentionKind::DecoderSelf || shown.divider || shown.mask.empty() ||
        keys.back().first < shown.queries.spans.front().last)
        return false;
    return shown.transposed ? shown.mask(keys.size() - 1, 0) : shown.mask(0, keys.size() - 1);
}

void drawKeysAhead(QPainter& painter, const ShownMap& shown, const MapLayout& layout, const Theme& theme) {
    const auto& keys = shown.keys.spans;
    const auto cell = [&](int query, int key) {
        return shown.transposed ? layout.cellRect(key, query) : layout.cellRect(query, key);
    };
    QPolygonF steps; // along the diagonal
    QRectF whole;
    for (int query = 0; query < std::ssize(shown.queries.spans); ++query) {
        const auto first =
            std::ranges::lower_bound(keys, shown.queries.spans[query].last, {}, &analysis::MapSpan::first);
        if (first == keys.end())
            break;
        const QRectF ahead = cell(query, first - keys.begin()) | cell(query, std::ssize(keys) - 1);
        steps << ahead.topLeft() << (shown.transposed ? ahead.topRight() : ahead.bottomLeft());
        whole |= ahead;
    }
    steps << whole.bottomRight() << (shown.transposed ? whole.bottomLeft() : whole.topRight());
    painter.save();
    painter.setClipRect(layout.plot().adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.unsure, 2));
    painter.drawPolygon(steps);
    painter.restore();
}

} // namespace headscope::widgets

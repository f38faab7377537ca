#include "widgets/drawing/plot_frame.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

/// 1, 2 and 5 times each power of ten, or only powers of ten if there would be too many.
std::vector<double> logarithmicTicks(double least, double most, int atMost) {
    std::vector<double> all, powers;
    for (int exponent = static_cast<int>(std::floor(std::log10(least)));
         exponent <= static_cast<int>(std::ceil(std::log10(most))); ++exponent)
        for (const double step : {1.0, 2.0, 5.0}) {
            const double value = step * std::pow(10, exponent);
            if (value < least * (1 - 1e-9) || value > most * (1 + 1e-9))
                continue;
            all.push_back(value);
            if (step == 1)
                powers.push_back(value);
        }
    if (static_cast<int>(all.size()) <= atMost)
        return all;
    std::vector<double> some;
    const auto step =
        (powers.size() + static_cast<std::size_t>(atMost) - 1) / static_cast<std::size_t>(atMost);
    for (std::size_t i = 0; i < powers.size(); i += step)
        some.push_back(powers[i]);
    return some;
}

std::vector<double> ticksOf(const PlotAxis& axis, int atMost) {
    if (!axis.numbered)
        return {};
    auto ticks = axis.logarithmic ? logarithmicTicks(axis.least, axis.most, atMost)
                                  : niceTicks(axis.least, axis.most, atMost);
    std::erase_if(ticks, [&](double tick) { return axis.whole && tick != std::round(tick); });
    return ticks;
}

QString tickText(const PlotAxis& axis, double tick, const std::vector<double>& ticks) {
    return axis.logarithmic ? logarithmicTickText(tick, ticks.front(), ticks.back())
                            : linearTickText(tick, ticks.front(), ticks.back());
}

constexpr int zeros = 5; ///< a number with this many zeros is hard to read

QString raisedTen(int exponent) {
    static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += raised[digit.digitValue()];
    return text;
}

int decadeOf(double value) {
    return static_cast<int>(std::floor(std::log10(value) + 1e-9));
}

/// "10⁻⁶", "2.5·10⁷".
QString asPower(double value) {
    const int exponent = decadeOf(value);
    const QString factor = QString::number(value / std::pow(10, exponent), 'g', 3);
    return factor == QLatin1String("1") ? raisedTen(exponent)
                                        : QStringLiteral("%1·%2").arg(factor, raisedTen(exponent));
}

} // namespace

QString axisNumber(double value) {
    const double shown = std::abs(value) < 1e-12 ? 0.0 : value;
    // Whole numbers below 10^7 and others from 9999.5 to 10^6 are written without an exponent.
    const bool counts = (std::abs(shown) < 1e7 && shown == std::round(shown)) ||
                        (std::abs(shown) >= 9999.5 && std::abs(shown) < 1e6);
    return (counts ? QString::number(shown, 'f', 0) : QString::number(shown, 'g', 4))
        .replace('-', QChar(0x2212));
}

QString logarithmicTickText(double tick, double least, double most) {
    const bool raised = decadeOf(least) <= -zeros || decadeOf(most) >= zeros;
    return raised ? asPower(tick) : QString::number(tick, 'f', std::max(0, -decadeOf(tick)));
}

QString linearTickText(double tick, double least, double most) {
    constexpr int digits = 4;
    const double size = std::max(std::abs(least), std::abs(most));
    if (std::abs(tick) < 1e-9 * size || size == 0)
        return QStringLiteral("0");
    const int decade = decadeOf(size);
    if (decade <= -zeros || decade > zeros + 1)
        return tick < 0 ? QChar(0x2212) + asPower(-tick) : asPower(tick);
    QString text = QString::number(tick, 'f', std::max(0, digits - 1 - decade));
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.')))
        text.chop(1);
    return text.replace('-', QChar(0x2212));
}

PlotAxis decadesAround(const std::vector<double>& values, const QString& title) {
    double least = INFINITY;
    double most = 0;
    for (const double value : values)
        if (value > 0 && std::isfinite(value)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    const double lowest = most > 0 ? std::floor(std::log10(least) + 1e-9) : 0;
    const double highest = most > 0 ? std::ceil(std::log10(most) - 1e-9) : 1;
    return {.least = std::pow(10, lowest),
            .most = std::pow(10, std::max(lowest + 1, highest)),
            .logarithmic = true,
            .title = title};
}

double PlotAxis::position(double value) const {
    if (logarithmic)
        return (std::log(std::max(value, least * 1e-6)) - std::log(least)) /
               (std::log(most) - std::log(least));
    return most > least ? (value - least) / (most - least) : 0.5;
}

PlotFrame::PlotFrame(PlotAxis across, PlotAxis up, const QFont& font, const QRectF& area)
    : across_(std::move(across)), up_(std::move(up)), font_(font), area_(area) {
    const QFontMetricsF metrics(font_);
    const double line = metrics.height();
    const double below = (across_.numbered ? line + 6 : 4) + (across_.title.isEmpty() ? 0 : line + 2);
    const double height = std::max(1.0, area.height() - below - line / 2 - 2);
    ticksUp_ = ticksOf(up_, std::clamp(static_cast<int>(height / (1.6 * line)), 2, 8));
    double widest = 0;
    for (const double tick : ticksUp_)
        widest = std::max(widest, metrics.horizontalAdvance(tickText(up_, tick, ticksUp_)));
    plot_ = QRectF(area.left() + (up_.title.isEmpty() ? 0 : line + 2) + widest + 8, area.top() + line / 2 + 2,
                   1, height);
    plot_.setRight(std::max(plot_.left() + 1, area.right() - 12));
}

double PlotFrame::x(double value) const {
    return plot_.left() + across_.position(value) * plot_.width();
}

double PlotFrame::valueAt(double x) const {
    return across_.least + (x - plot_.left()) / plot_.width() * (across_.most - across_.least);
}

double PlotFrame::y(double value) const {
    return plot_.bottom() - up_.position(value) * plot_.height();
}

void PlotFrame::drawTicksUp(QPainter& painter, const Theme& theme) const {
    for (const double tick : ticksUp_) {
        const double height = std::round(y(tick)) + 0.5;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(plot_.left(), height), QPointF(plot_.right(), height));
        painter.setPen(theme.text);
        painter.drawText(QRectF(plot_.left() - 206, height - 50, 200, 100), Qt::AlignRight | Qt::AlignVCenter,
                         tickText(up_, tick, ticksUp_));
    }
}

void PlotFrame::drawTicksAcross(QPainter& painter, const Theme& theme) const {
    const QFontMetricsF metrics(font_);
    const double wide = metrics.horizontalAdvance(QStringLiteral("−0.05")) + 12;
    const auto ticks = ticksOf(across_, std::clamp(static_cast<int>(plot_.width() / wide), 2, 12));
    double free = -1e9; // right end of the last number
    for (const double tick : ticks) {
        const double at = x(tick);
        const QString text = tickText(across_, tick, ticks);
        const double half = metrics.horizontalAdvance(text) / 2;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(at, plot_.bottom()), QPointF(at, plot_.bottom() + 4));
        if (at - half < free)
            continue;
        free = at + half + 6;
        painter.setPen(theme.text);
        painter.drawText(QRectF(at - 100, plot_.bottom() + 5, 200, metrics.height()), Qt::AlignHCenter, text);
    }
}

void PlotFrame::draw(QPainter& painter, const Theme& theme) const {
    const QFontMetricsF metrics(font_);
    painter.save();
    painter.setFont(font_);
    drawTicksUp(painter, theme);
    drawTicksAcross(painter, theme);
    painter.setPen(theme.faintText);
    painter.drawLine(plot_.bottomLeft(), plot_.bottomRight());
    const QString across = metrics.elidedText(across_.title, Qt::ElideRight, area_.width());
    painter.drawText(
        QRectF(plot_.center().x() - 500, area_.bottom() - metrics.height(), 1000, metrics.height()),
        Qt::AlignHCenter, across);
    if (!up_.title.isEmpty()) {
        const QString up = metrics.elidedText(up_.title, Qt::ElideRight, area_.height());
        const double half =
            metrics.horizontalAdvance(up) / 2; // keeps a title longer than the plot within the area
        const double middle =
            std::min(std::max(plot_.center().y(), area_.top() + half), area_.bottom() - half);
        painter.translate(area_.left(), middle);
        painter.rotate(-90);
        painter.drawText(QRectF(-500, 0, 1000, metrics.height()), Qt::AlignCenter, up);
    }
    painter.restore();
}

} // namespace headscope::widgets

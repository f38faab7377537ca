#include "widgets/log_axes.h"

#include "widgets/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

QString powerOfTenText(int exponent) {
    constexpr int zeros = 5;
    if (std::abs(exponent) < zeros)
        return exponent >= 0 ? QString::number(std::pow(10, exponent), 'f', 0)
                             : QString::number(std::pow(10, exponent), 'f', -exponent);
    static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += raised[digit.digitValue()];
    return text;
}

LogAxes::LogAxes(const std::vector<double>& values, const QFont& font, const QRectF& area)
    : font_(font), count_(values.size()) {
    double least = INFINITY;
    double most = 0;
    for (const double value : values)
        if (value > 0 && std::isfinite(value)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    if (most > 0) {
        lowest_ = static_cast<int>(std::floor(std::log10(least) + 1e-9));
        highest_ = std::max(lowest_ + 1, static_cast<int>(std::ceil(std::log10(most) - 1e-9)));
    }
    const QFontMetricsF metrics(font_);
    double widest = 0;
    for (int exponent = lowest_; exponent <= highest_; ++exponent)
        widest = std::max(widest, metrics.horizontalAdvance(powerOfTenText(exponent)));
    const double line = metrics.height();
    plot_ = area.adjusted(line + widest + 14, line / 2 + 2, -12, -2 * line - 12);
}

double LogAxes::x(double index) const {
    return plot_.left() +
           (index + 0.5) * plot_.width() / static_cast<double>(std::max<std::size_t>(1, count_));
}

double LogAxes::y(double value) const {
    const double share = (std::log10(value) - lowest_) / (highest_ - lowest_);
    return plot_.bottom() - share * plot_.height();
}

int LogAxes::indexAt(double x) const {
    return static_cast<int>(std::floor((x - plot_.left()) / plot_.width() * static_cast<double>(count_)));
}

void LogAxes::drawDecades(QPainter& painter, const Theme& theme) const {
    const QFontMetricsF metrics(font_);
    const double apart = plot_.height() / (highest_ - lowest_);
    const int step = std::max(1, static_cast<int>(std::ceil(1.5 * metrics.height() / std::max(1.0, apart))));
    for (int exponent = lowest_; exponent <= highest_; ++exponent) {
        const double height = y(std::pow(10, exponent));
        painter.setPen(theme.line);
        painter.drawLine(QPointF(plot_.left(), height), QPointF(plot_.right(), height));
        if ((exponent - lowest_) % step != 0)
            continue;
        painter.setPen(theme.text);
        painter.drawText(QRectF(0, height - 50, plot_.left() - 6, 100), Qt::AlignRight | Qt::AlignVCenter,
                         powerOfTenText(exponent));
    }
}

void LogAxes::drawCounts(QPainter& painter, const Theme& theme) const {
    const QFontMetricsF metrics(font_);
    const double wide = metrics.horizontalAdvance(QString::number(count_)) + 12;
    const double fits = std::max(1.0, plot_.width() / wide);
    int step = 1;
    for (const int next : {1, 2, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 200, 256, 500, 1000, 2000, 5000})
        if (static_cast<double>(count_) / (step = next) <= fits)
            break;
    for (std::size_t index = 0; index < count_; index += static_cast<std::size_t>(step)) {
        const double at = x(static_cast<double>(index));
        painter.setPen(theme.line);
        painter.drawLine(QPointF(at, plot_.bottom()), QPointF(at, plot_.bottom() + 4));
        painter.setPen(theme.text);
        painter.drawText(QRectF(at - 50, plot_.bottom() + 6, 100, metrics.height()), Qt::AlignHCenter,
                         QString::number(index));
    }
}

void LogAxes::draw(QPainter& painter, const QString& xTitle, const QString& yTitle,
                   const Theme& theme) const {
    const QFontMetricsF metrics(font_);
    painter.setFont(font_);
    drawDecades(painter, theme);
    drawCounts(painter, theme);
    painter.setPen(theme.faintText);
    painter.drawText(
        QRectF(plot_.left(), plot_.bottom() + metrics.height() + 8, plot_.width(), metrics.height()),
        Qt::AlignHCenter | Qt::TextDontClip, xTitle);
    painter.save();
    painter.translate(0, plot_.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot_.height() / 2 - 20, 2, plot_.height() + 40, metrics.height()),
                     Qt::AlignCenter | Qt::TextDontClip, yTitle);
    painter.restore();
}

} // namespace headscope::widgets

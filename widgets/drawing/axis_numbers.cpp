#include "widgets/drawing/axis_numbers.h"

#include "widgets/drawing/shown_number.h"

#include <QtMath>

#include <cmath>

namespace headscope::widgets {

namespace {

constexpr int zeros = 5; ///< a number with this many zeros is hard to read

QString raisedTen(int exponent) {
    static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += raised[digit.digitValue()];
    return text;
}

int decadeOf(double value) {
    return qFloor(std::log10(value) + 1e-9);
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
    return shownNumber(counts ? QString::number(shown, 'f', 0) : QString::number(shown, 'g', 4));
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
        return tick < 0 ? shownNumber('-' + asPower(-tick)) : asPower(tick);
    QString text = QString::number(tick, 'f', std::max(0, digits - 1 - decade));
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.')))
        text.chop(1);
    return shownNumber(text);
}

std::vector<double> niceTicks(double minimum, double maximum, int atMost) {
    if (!(maximum > minimum) || atMost < 1 || !std::isfinite(maximum - minimum))
        return {};
    const double least = (maximum - minimum) / std::max(1, atMost - 1);
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
        const double step = factor * power;
        const double first = std::ceil(minimum / step - 1e-9);
        const double last = std::floor(maximum / step + 1e-9);
        if (last - first + 1 > atMost)
            continue;
        std::vector<double> ticks;
        for (double i = first; i <= last; ++i)
            ticks.push_back(i * step);
        return ticks;
    }
    return {};
}

std::vector<double> logarithmicTicks(double least, double most, int atMost) {
    std::vector<double> all, powers;
    for (int exponent = qFloor(std::log10(least)); exponent <= qCeil(std::log10(most)); ++exponent)
        for (const double step : {1.0, 2.0, 5.0}) {
            const double value = step * std::pow(10, exponent);
            if (value < least * (1 - 1e-9) || value > most * (1 + 1e-9))
                continue;
            all.push_back(value);
            if (step == 1)
                powers.push_back(value);
        }
    if (std::ssize(all) <= atMost)
        return all;
    std::vector<double> some;
    const auto step = (powers.size() + atMost - 1) / atMost;
    for (std::size_t i = 0; i < powers.size(); i += step)
        some.push_back(powers[i]);
    return some;
}

} // namespace headscope::widgets

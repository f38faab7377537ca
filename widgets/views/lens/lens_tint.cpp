#include "widgets/views/lens/lens_tint.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::widgets {

namespace {

struct LensTintWords {
    Q_DECLARE_TR_FUNCTIONS(Lens)
};

struct LegendTick {
    double position = 0;
    QString text;
};

// Four decades, as on every logarithmic scale; the divergence uses the same range in nats.
constexpr double decades = 4;
const double nats = decades * std::log(10.0);

double within(double position) {
    return std::isnan(position) ? position : std::clamp(position, 0.0, 1.0);
}

/// From pale to strong.
std::vector<LegendTick> ticksOf(LensTint tint) {
    std::vector<LegendTick> ticks;
    for (int i = 0; i <= decades; ++i) {
        const double position = i / decades;
        switch (tint) {
        case LensTint::Probability:
            ticks.push_back({position, QString::number(position)});
            break;
        case LensTint::LogProbability:
            ticks.push_back({position, QString::number(std::pow(10, i - decades))});
            break;
        case LensTint::Rank:
            ticks.push_back({position, QString::number(std::lround(std::pow(10, decades - i)))});
            break;
        case LensTint::Divergence:
            ticks.push_back({1 - 2 * (decades - i) / nats, QString::number(2 * (decades - i))});
            break;
        }
    }
    return ticks;
}

} // namespace

QString lensTintTitle(LensTint tint, const std::optional<trace::Token>& contrast) {
    switch (tint) {
    case LensTint::Probability:
        return contrast ? LensTintWords::tr("Probability of the chosen token compared with %1")
                              .arg(quoted(tokenLabel(*contrast)))
                        : LensTintWords::tr("Probability of the chosen token");
    case LensTint::LogProbability:
        return LensTintWords::tr("The same, logarithmic");
    case LensTint::Rank:
        return LensTintWords::tr("Rank of the chosen token");
    case LensTint::Divergence:
        break;
    }
    return LensTintWords::tr("KL from the model, nats");
}

double lensTintPosition(LensTint tint, const trace::LensReading& reading) {
    const double logProbability = reading.lead ? -std::log1p(std::exp(-static_cast<double>(*reading.lead)))
                                               : static_cast<double>(reading.chosenLogProbability);
    switch (tint) {
    case LensTint::Probability:
        return within(std::exp(logProbability));
    case LensTint::LogProbability:
        return within(1 + logProbability / nats);
    case LensTint::Rank:
        return within(1 - std::log10(static_cast<double>(reading.chosenRank) + 1) / decades);
    case LensTint::Divergence:
        return within(1 - static_cast<double>(reading.divergence) / nats);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

QColor lensTintColour(double position, const Theme& theme) {
    const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, theme.dark);
    return scale.colour(position);
}

void drawLensLegend(QPainter& painter, const QRectF& bar, LensTint tint, const QFont& font,
                    const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(font);
    constexpr int bands = 128;
    for (int band = 0; band < bands; ++band) {
        const double left = std::floor(bar.left() + bar.width() * band / bands);
        const double right = std::floor(bar.left() + bar.width() * (band + 1) / bands);
        painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()),
                         lensTintColour((band + 0.5) / bands, theme));
    }
    painter.setPen(theme.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
    const QFontMetricsF metrics(font);
    double free = bar.left();
    auto ticks = ticksOf(tint);
    const double last = bar.right() - metrics.horizontalAdvance(ticks.back().text) - 12;
    for (const LegendTick& tick : ticks) {
        const double wide = metrics.horizontalAdvance(tick.text) + 12;
        const double left =
            std::clamp(bar.left() + tick.position * bar.width() - wide / 2, bar.left(), bar.right() - wide);
        const bool isLast = &tick == &ticks.back();
        if (left < free || (!isLast && left + wide > last))
            continue;
        free = left + wide;
        painter.setPen(readableOn(lensTintColour(tick.position, theme)));
        painter.drawText(QRectF(left, bar.top(), wide, bar.height()), Qt::AlignCenter, tick.text);
    }
    painter.restore();
}

} // namespace headscope::widgets

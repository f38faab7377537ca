#include "widgets/views/arithmetic/arithmetic_figure.h"

#include "widgets/drawing/signed_bar.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::widgets {

namespace {

struct ArithmeticFigureWords {
    Q_DECLARE_TR_FUNCTIONS(Arithmetic)
};

/// Vertical bars from a zero line in the middle, positive values up.
void drawBars(QPainter& painter, const QRectF& area, const std::vector<double>& values, double limit,
              const Theme& theme) {
    const double pitch = area.width() / static_cast<double>(std::max<std::size_t>(1, values.size()));
    const double zero = area.center().y();
    for (std::size_t i = 0; i < values.size() && limit > 0; ++i) {
        if (!std::isfinite(values[i]))
            continue;
        const double height = values[i] / limit * area.height() / 2;
        const QRectF bar(area.left() + static_cast<double>(i) * pitch + pitch * 0.1, zero, pitch * 0.8,
                         -height);
        painter.fillRect(bar.normalized(), height > 0 ? aboveZeroColour(theme) : belowZeroColour(theme));
    }
    painter.fillRect(QRectF(area.left(), zero - 0.5, area.width(), 1), theme.line);
}

} // namespace

void drawArithmetic(QPainter& painter, const QRectF& area, const analysis::CellArithmetic& cell,
                    const analysis::StreamAddition* addition, const QFont& font, const Theme& theme) {
    const QFontMetricsF metrics(font);
    struct Band {
        QString name;
        const std::vector<double>* values;
    };
    std::vector<Band> bands{{ArithmeticFigureWords::tr("q"), &cell.q},
                            {ArithmeticFigureWords::tr("k"), &cell.k},
                            {ArithmeticFigureWords::tr("q \u00D7 k"), &cell.products},
                            {ArithmeticFigureWords::tr("weight \u00D7 v"), &cell.adds}};
    if (addition)
        bands.push_back({ArithmeticFigureWords::tr("weight \u00D7 W_O v"), &addition->added});
    const double height = area.height() / static_cast<double>(bands.size());
    const double left = metrics.horizontalAdvance(bands.back().name) + 12;
    for (std::size_t i = 0; i < bands.size(); ++i) {
        double limit = 0;
        for (const double value : *bands[i].values)
            limit = std::isfinite(value) ? std::max(limit, std::abs(value)) : limit;
        const QRectF band(area.left(), area.top() + static_cast<double>(i) * height, area.width(), height);
        painter.setPen(theme.text);
        painter.drawText(band, Qt::AlignLeft | Qt::AlignVCenter, bands[i].name);
        const QRectF bars = band.adjusted(left, 4, 0, -metrics.height());
        drawBars(painter, bars, *bands[i].values, limit, theme);
        painter.setPen(theme.faintText);
        painter.drawText(band.adjusted(left, 0, 0, 0), Qt::AlignRight | Qt::AlignBottom,
                         ArithmeticFigureWords::tr("%1 dimensions, bars up to \u00B1%2")
                             .arg(QString::number(bands[i].values->size()), numberText(limit)));
    }
}

} // namespace headscope::widgets

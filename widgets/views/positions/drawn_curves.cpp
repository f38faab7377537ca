#include "widgets/views/positions/drawn_curves.h"

#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/positions/position_curves.h"

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

QString DrawnCurves::curveName(int dimension) const {
    if (isScore)
        return PositionCurves::tr("score");
    return byDistance ? PositionCurves::tr("head %1").arg(dimension)
                      : PositionCurves::tr("dim %1").arg(dimension);
}

void DrawnCurves::dress(QCustomPlot& plot, const Theme& theme, double width) const {
    struct RoundTicker : QCPAxisTicker { // steps of 1, 2 or 5, as on all other axes
        double getTickStep(const QCPRange& range) override {
            const auto ticks = niceTicks(range.lower, range.upper, tickCount() + 2);
            return ticks.size() > 1 ? ticks[1] - ticks[0] : QCPAxisTicker::getTickStep(range);
        }
    };
    wrapLegend(plot, width);
    plot.setBackground(theme.background);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) {
        axis->setTicker(QSharedPointer<RoundTicker>::create());
        axis->setBasePen(QPen(theme.line));
        axis->setTickPen(QPen(theme.line));
        axis->setSubTickPen(QPen(theme.line));
        axis->setTickLabelColor(theme.text);
        axis->setLabelColor(theme.text);
        axis->setTickLabelFont(plot.font());
        axis->setLabelFont(plot.font());
        axis->grid()->setPen(QPen(theme.panel));
        axis->grid()->setZeroLinePen(QPen(theme.line));
    }
    plot.legend->setBrush(theme.background);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(theme.text);
    plot.legend->setFont(plot.font());
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    for (int i = 0; i < plot.graphCount(); ++i) {
        const auto curve = static_cast<std::size_t>(i) % dimensions.size();
        const QColor colour = categoryColours(theme).at(curve % PositionCurves::mostCurves);
        if (plot.graph(i)->scatterStyle().isNone())
            plot.graph(i)->setPen(QPen(colour, 2, dashes[curve % dashes.size()]));
        else
            plot.graph(i)->setScatterStyle(
                QCPScatterStyle(QCPScatterStyle::ssDisc, colour, theme.background, 7));
    }
}

void DrawnCurves::fill(QCustomPlot& plot, const PositionTable& table, int positions) const {
    plot.clearGraphs();
    const auto count = std::min(static_cast<std::size_t>(positions), values->rows());
    double limit = 0;
    for (const int dimension : dimensions) {
        QCPGraph* curve = plot.addGraph();
        curve->setName(curveName(dimension));
        curve->setLineStyle(byDistance && !isScore ? QCPGraph::lsStepCenter : QCPGraph::lsLine);
        for (std::size_t position = 0; position < count; ++position) {
            const double value = (*values)(position, static_cast<std::size_t>(dimension));
            limit = std::max(limit, std::abs(value));
            curve->addData(first + static_cast<double>(position), value);
        }
    }
    for (const int dimension : dimensions) {
        QCPGraph* dots = plot.addGraph();
        dots->setLineStyle(QCPGraph::lsNone);
        dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 7));
        dots->removeFromLegend();
        for (std::size_t token = 0; token < table.rows.size(); ++token)
            if (table.rows[token] && static_cast<std::size_t>(*table.rows[token]) < count)
                dots->addData(first + *table.rows[token],
                              table.added(token, static_cast<std::size_t>(dimension)));
    }
    plot.xAxis->setRange(first - 1, first + static_cast<double>(count));
    plot.xAxis->setLabel(byDistance ? PositionCurves::tr("distance: key position − query position")
                                    : PositionCurves::tr("position"));
    plot.yAxis->setLabel(isScore      ? PositionCurves::tr("score")
                         : byDistance ? PositionCurves::tr("addition to the score")
                                      : PositionCurves::tr("value"));
    plot.yAxis->setRange(-1.08 * std::max(limit, 1e-9), 1.08 * std::max(limit, 1e-9));
}

void DrawnCurves::wrapLegend(QCustomPlot& plot, double width) const {
    const QFontMetricsF metrics(plot.font());
    double entry = 0;
    for (const int dimension : dimensions)
        entry = std::max(entry, metrics.horizontalAdvance(curveName(dimension)));
    entry += plot.legend->iconSize().width() + 3 * plot.legend->iconTextPadding();
    plot.legend->setWrap(std::clamp(static_cast<int>(width / entry), 1, 4));
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst, true); // rearranges existing entries too
}

} // namespace headscope::widgets

#include "widgets/views/training/training_pictures.h"

#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

struct TrainingPicturesWords {
    Q_DECLARE_TR_FUNCTIONS(TrainingPictures)
};

constexpr double radius = 3.5;

QPen penOf(int style, const Theme& theme) {
    constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    const auto index = static_cast<std::size_t>(style);
    return {categoryColours(theme).at(index), 1.8, dashes.at(index % dashes.size())};
}

/// Disc, square, triangle or diamond.
void drawMark(QPainter& painter, QPointF at, int style, const Theme& theme) {
    const QColor colour = categoryColours(theme).at(static_cast<std::size_t>(style));
    painter.setPen(QPen(colour, 1));
    painter.setBrush(colour);
    const auto corner = [&](double x, double y) { return at + radius * QPointF(x, y); };
    if (style % 4 == 0)
        painter.drawEllipse(at, radius, radius);
    else if (style % 4 == 1)
        painter.drawRect(QRectF(corner(-0.9, -0.9), corner(0.9, 0.9)));
    else if (style % 4 == 2)
        painter.drawPolygon(QPolygonF{corner(0, -1.2), corner(1.1, 0.8), corner(-1.1, 0.8)});
    else
        painter.drawPolygon(QPolygonF{corner(0, -1.3), corner(1.3, 0), corner(0, 1.3), corner(-1.3, 0)});
}

struct Source {
    QString name;
    double TrainingPoint::*member;
    double factor = 1;
    bool marked = true;
};

/// Keeps the steps at which one of the curves has a value.
TrainingChart chartOf(const std::vector<TrainingPoint>& points, const QString& title, const QString& whatFor,
                      double most, const std::vector<Source>& sources) {
    TrainingChart chart{.title = title,
                        .whatFor = whatFor,
                        .lastStep = points.empty() ? 0 : points.back().step,
                        .most = most,
                        .steps = {},
                        .curves = {}};
    std::vector<const TrainingPoint*> kept;
    for (const auto& point : points)
        if (std::ranges::any_of(sources,
                                [&](const Source& source) { return std::isfinite(point.*source.member); })) {
            kept.push_back(&point);
            chart.steps.push_back(point.step);
        }
    int style = 0;
    for (const auto& source : sources) {
        TrainingCurve curve{.name = source.name, .style = style++, .marked = source.marked, .values = {}};
        for (const auto* point : kept)
            curve.values.push_back(source.factor * point->*source.member);
        if (std::ranges::any_of(curve.values, [](double value) { return std::isfinite(value); }))
            chart.curves.push_back(std::move(curve));
    }
    return chart;
}

} // namespace

std::vector<TrainingChart> trainingCharts(const std::vector<TrainingPoint>& points) {
    return {chartOf(points, TrainingPicturesWords::tr("loss, nats"),
                    TrainingPicturesWords::tr("Training and validation loss"), 0,
                    {{.name = TrainingPicturesWords::tr("training loss"),
                      .member = &TrainingPoint::loss,
                      .marked = false},
                     {.name = TrainingPicturesWords::tr("validation loss"),
                      .member = &TrainingPoint::validationLoss}}),
            chartOf(points, TrainingPicturesWords::tr("of 100"),
                    TrainingPicturesWords::tr("BLEU and accuracy of validations"), 100,
                    {{.name = TrainingPicturesWords::tr("accuracy, %"),
                      .member = &TrainingPoint::accuracy,
                      .factor = 100},
                     {.name = TrainingPicturesWords::tr("BLEU"), .member = &TrainingPoint::bleu}}),
            chartOf(points, TrainingPicturesWords::tr("entropy, bits"),
                    TrainingPicturesWords::tr("Entropy of attention at validations"), 0,
                    {{.name = TrainingPicturesWords::tr("encoder"), .member = &TrainingPoint::encoderEntropy},
                     {.name = TrainingPicturesWords::tr("decoder"), .member = &TrainingPoint::decoderEntropy},
                     {.name = TrainingPicturesWords::tr("cross"), .member = &TrainingPoint::crossEntropy}})};
}

std::vector<LegendEntry> TrainingPicture::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries;
    for (const auto& curve : chart_.curves)
        entries.push_back(
            {[&theme, style = curve.style, marked = curve.marked](QPainter& painter, const QRectF& sample) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 painter.setPen(penOf(style, theme));
                 painter.drawLine(QPointF(sample.left(), sample.center().y()),
                                  QPointF(sample.right(), sample.center().y()));
                 if (marked)
                     drawMark(painter, sample.center(), style, theme);
             },
             curve.name});
    return entries;
}

PlotFrame TrainingPicture::frame(const QRectF& area, const QFont& font) const {
    double largest = 0;
    for (const auto& curve : chart_.curves)
        for (const double value : curve.values)
            if (std::isfinite(value))
                largest = std::max(largest, value);
    largest = largest > 0 ? largest * 1.05 : 1;
    if (chart_.most > 0)
        largest = std::min(largest, chart_.most);
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    const auto last = static_cast<double>(chart_.lastStep);
    const double half =
        QFontMetricsF(font).horizontalAdvance(axisNumber(last)) / 2; // half of the last number
    return {{.least = 0, .most = std::max(1.0, last), .title = TrainingPicturesWords::tr("step")},
            {.least = 0, .most = largest, .title = chart_.title},
            font,
            area.adjusted(0, above, -std::max(0.0, half - 10), 0)};
}

double TrainingPicture::value(MapCell mark) const {
    return chart_.curves[static_cast<std::size_t>(mark.column)].values[static_cast<std::size_t>(mark.row)];
}

/// Connects measured values across steps without one.
void TrainingPicture::drawCurve(QPainter& painter, const PlotFrame& axes, const TrainingCurve& curve,
                                const Theme& theme) const {
    QPolygonF line;
    for (std::size_t i = 0; i < curve.values.size(); ++i)
        if (std::isfinite(curve.values[i]))
            line << QPointF(axes.x(static_cast<double>(chart_.steps[i])), axes.y(curve.values[i]));
    painter.setPen(penOf(curve.style, theme));
    painter.drawPolyline(line);
    const double apart = axes.plot().width() / std::max<double>(1, static_cast<double>(line.size()));
    if ((curve.marked && apart > 2 * radius) || line.size() == 1)
        for (const QPointF& point : line)
            drawMark(painter, point, curve.style, theme);
}

void TrainingPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                           const Theme& theme) const {
    painter.save();
    painter.setFont(font);
    if (chart_.curves.empty()) {
        drawEmptyState(painter, area, chart_.whatFor, TrainingPicturesWords::tr("Nothing is measured yet."),
                       theme);
        painter.restore();
        return;
    }
    drawLegend(&painter, area, legend(theme), font, theme);
    const PlotFrame axes = frame(area, font);
    axes.draw(painter, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& curve : chart_.curves)
        drawCurve(painter, axes, curve, theme);
    painter.restore();
}

QRectF TrainingPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    if (!std::isfinite(value(mark)))
        return {};
    const PlotFrame axes = frame(area, font);
    const QPointF at(axes.x(static_cast<double>(chart_.steps[static_cast<std::size_t>(mark.row)])),
                     axes.y(value(mark)));
    return {at.x() - 6, at.y() - 6, 12, 12};
}

/// Returns the nearest mark. Horizontal distance counts four times as much as vertical.
std::optional<MapCell> TrainingPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    if (chart_.curves.empty() || !axes.plot().adjusted(-6, -6, 6, 6).contains(point))
        return std::nullopt;
    std::optional<MapCell> nearest;
    double least = 0;
    for (int column = 0; column < columns(); ++column)
        for (int row = 0; row < rows(); ++row) {
            if (!std::isfinite(value({row, column})))
                continue;
            const double across =
                axes.x(static_cast<double>(chart_.steps[static_cast<std::size_t>(row)])) - point.x();
            const double away = std::hypot(across, (axes.y(value({row, column})) - point.y()) / 4);
            if (!nearest || away < least) {
                nearest = MapCell{row, column};
                least = away;
            }
        }
    return nearest;
}

QString TrainingPicture::inWords(MapCell mark) const {
    const QString of =
        TrainingPicturesWords::tr("Step %1: %2").arg(rowName(mark.row), columnName(mark.column));
    return std::isfinite(value(mark)) ? TrainingPicturesWords::tr("%1 %2").arg(of, numberText(value(mark)))
                                      : TrainingPicturesWords::tr("%1 not measured").arg(of);
}

QString TrainingPicture::rowName(int row) const {
    return QString::number(chart_.steps[static_cast<std::size_t>(row)]);
}

QString TrainingPicture::columnName(int column) const {
    return chart_.curves[static_cast<std::size_t>(column)].name;
}

} // namespace headscope::widgets

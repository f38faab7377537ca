#include "widgets/views/scale/softmax_pictures.h"

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

struct SoftmaxPicturesWords {
    Q_DECLARE_TR_FUNCTIONS(SoftmaxPictures)
};

constexpr double softmaxGap = 6;

void drawHard(QPainter& painter, const QRectF& area, const Theme& theme) {
    const QColor colour = categoryColours(theme)[1];
    drawStripes(painter, area, colour, 5);
    painter.setPen(colour);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
}

void drawSoft(QPainter& painter, const QRectF& area, const Theme& theme) {
    painter.fillRect(area, categoryColours(theme)[0]);
}

} // namespace

RowPicture::RowPicture(AttentionRow row) : row_(std::move(row)) {
    for (std::size_t key = 0; key < row_.keys.size(); ++key)
        numbers_ += row_.open[key] ? numberText(row_.soft[key]) : SoftmaxPicturesWords::tr("masked");
}

std::vector<LegendEntry> RowPicture::legend(const Theme& theme) const {
    return {{[&theme](QPainter& painter, const QRectF& sample) { drawSoft(painter, sample, theme); },
             columnName(0)},
            {[&theme](QPainter& painter, const QRectF& sample) { drawHard(painter, sample, theme); },
             columnName(1)}};
}

RowPicture::Layout RowPicture::layOut(const QRectF& area, const QFont& font) const {
    const QFontMetricsF metrics(font);
    const TokenLabelStyle style{.font = font, .spaceMarks = row_.spaceMarks};
    Layout at;
    for (const auto& key : row_.keys)
        at.label = std::max(at.label, style.width(key));
    at.label = std::min(at.label, area.width() * 0.35);
    for (const QString& number : numbers_)
        at.number = std::max(at.number, metrics.horizontalAdvance(number));
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    at.bars = area.adjusted(at.label + softmaxGap, above, -at.number - softmaxGap, 0);
    at.row = std::min(at.bars.height() / std::max(1, rows()), metrics.height() + 6);
    return at;
}

double RowPicture::weight(MapCell mark) const {
    const auto key = static_cast<std::size_t>(mark.row);
    return mark.column == 0 ? row_.soft[key] : row_.hard == key ? 1 : 0;
}

QRectF RowPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    return barAt(mark, layOut(area, font));
}

QRectF RowPicture::barAt(MapCell mark, const Layout& at) const {
    const double pad = at.row > 8 ? 2 : at.row > 3 ? 0.5 : 0;
    const double half = (at.row - 2 * pad) / 2;
    const double top = at.bars.top() + mark.row * at.row + pad + (mark.column == 0 ? 0 : half);
    return {at.bars.left(), top, std::max(0.0, at.bars.width()) * weight(mark), half};
}

std::optional<MapCell> RowPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const Layout at = layOut(area, font);
    if (at.row <= 0 || !area.contains(point) || point.y() < at.bars.top())
        return std::nullopt;
    const double row = (point.y() - at.bars.top()) / at.row;
    return row < rows() ? std::optional(MapCell{static_cast<int>(row), row - std::floor(row) < 0.5 ? 0 : 1})
                        : std::nullopt;
}

void RowPicture::draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
    drawLegend(&painter, area, legend(theme), font, theme);
    const Layout at = layOut(area, font);
    const TokenLabelStyle style{.font = font, .spaceMarks = row_.spaceMarks};
    const double line = style.lineHeight();
    double free = at.bars.top(); // end of the last label
    for (int row = 0; row < rows(); ++row) {
        const QRectF soft = barAt({row, 0}, at);
        const QRectF hard = barAt({row, 1}, at);
        const double middle = at.bars.top() + (row + 0.5) * at.row;
        drawSoft(painter, soft, theme);
        if (hard.width() > 0)
            drawHard(painter, hard, theme);
        if (middle - line / 2 < free - 1)
            continue;
        free = middle + line / 2;
        const auto key = static_cast<std::size_t>(row);
        TokenInk ink = TokenInk::onBackground(theme);
        if (!row_.open[key])
            ink.text = theme.faintText;
        style.draw(painter, QRectF(area.left(), middle - line / 2, at.label, line),
                   Qt::AlignLeft | Qt::AlignVCenter, row_.keys[key], ink);
        painter.setFont(font);
        painter.setPen(row_.open[key] ? theme.text : theme.faintText);
        painter.drawText(QRectF(at.bars.right() + softmaxGap, middle - line / 2, at.number + 2, line),
                         Qt::AlignRight | Qt::AlignVCenter, numbers_[row]);
    }
    painter.fillRect(QRectF(at.bars.left() - 1, at.bars.top(), 1, at.row * rows()), theme.faintText);
}

QString RowPicture::inWords(MapCell mark) const {
    const auto key = static_cast<std::size_t>(mark.row);
    if (!row_.open[key])
        return SoftmaxPicturesWords::tr("%1: masked").arg(quoted(row_.keys[key]));
    return SoftmaxPicturesWords::tr("%1: soft attention %2, hard attention %3")
        .arg(quoted(row_.keys[key]), numberText(weight({mark.row, 0})),
             QString::number(weight({mark.row, 1})));
}

QString RowPicture::rowName(int row) const {
    return quoted(row_.keys[static_cast<std::size_t>(row)]);
}

QString RowPicture::columnName(int column) const {
    return column == 0 ? SoftmaxPicturesWords::tr("soft attention")
                       : SoftmaxPicturesWords::tr("hard attention");
}

PlotFrame EntropyPicture::frame(const QRectF& area, const QFont& font) const {
    // Leaves room above the plot for the names of the marked temperatures.
    const double line = QFontMetricsF(font).height();
    return {{.least = analysis::lowestTemperature,
             .most = analysis::highestTemperature,
             .logarithmic = true,
             .title = SoftmaxPicturesWords::tr("temperature, logarithmic")},
            {.least = 0,
             .most = std::max(0.1, shown_.curve.even * 1.05),
             .title = SoftmaxPicturesWords::tr("mean entropy of a row, bits")},
            font,
            area.adjusted(0, line, 0, 0)};
}

void EntropyPicture::drawMarkedTemperatures(QPainter& painter, const PlotFrame& axes, const QFont& font,
                                            const Theme& theme) const {
    const QFontMetricsF metrics(font);
    const auto mark = [&](double temperature, const QString& name, const QColor& ink, Qt::PenStyle dash) {
        const double at = axes.x(temperature);
        painter.setPen(QPen(ink, 1, dash));
        painter.drawLine(QPointF(at, axes.plot().top()), QPointF(at, axes.plot().bottom()));
        painter.setPen(theme.text);
        const double half = metrics.horizontalAdvance(name) / 2;
        const double middle = std::clamp(at, axes.plot().left() + half, axes.plot().right() - half);
        painter.drawText(QRectF(middle - half - 2, axes.plot().top() - metrics.height() - 2, 2 * half + 4,
                                metrics.height()),
                         Qt::AlignCenter, name);
    };
    mark(1, QStringLiteral("1"), theme.faintText, Qt::DashLine);
    const bool inSight = shown_.without && *shown_.without >= analysis::lowestTemperature &&
                         *shown_.without <= analysis::highestTemperature;
    if (inSight && std::abs(std::log(*shown_.without)) > 1e-6)
        mark(*shown_.without, SoftmaxPicturesWords::tr("unscaled: %1").arg(axisNumber(*shown_.without)),
             theme.faintText, Qt::DotLine);
}

void EntropyPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                          const Theme& theme) const {
    if (columns() == 0)
        return;
    const PlotFrame axes = frame(area, font);
    axes.draw(painter, theme);
    painter.save();
    painter.setFont(font);
    drawMarkedTemperatures(painter, axes, font, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.faintText, 1, Qt::DashDotLine));
    const double even = axes.y(shown_.curve.even);
    painter.drawLine(QPointF(axes.plot().left(), even), QPointF(axes.plot().right(), even));
    const QString evenName =
        SoftmaxPicturesWords::tr("uniform attention: %1 bits").arg(numberText(shown_.curve.even));
    const QRectF words(QPointF(axes.plot().left() + 6, even + 2),
                       QFontMetricsF(font).size(Qt::TextSingleLine, evenName));
    painter.fillRect(words, theme.background); // hides grid lines behind the text
    painter.setPen(theme.text);
    painter.drawText(words, Qt::AlignCenter | Qt::TextDontClip, evenName);
    QPolygonF curve;
    for (std::size_t i = 0; i < shown_.curve.temperatures.size(); ++i)
        curve << QPointF(axes.x(shown_.curve.temperatures[i]), axes.y(shown_.curve.entropies[i]));
    const bool isOld = !shown_.stillOf.isEmpty();
    painter.setPen(QPen(isOld ? theme.faintText : categoryColours(theme)[0], 2));
    painter.drawPolyline(curve);
    if (isOld)
        painter.drawText(axes.plot().adjusted(0, 4, -8, 0), Qt::AlignRight | Qt::AlignTop,
                         SoftmaxPicturesWords::tr("still for %1").arg(shown_.stillOf));
    else if (shown_.entropy) {
        const QPointF now(axes.x(shown_.temperature), axes.y(*shown_.entropy));
        painter.setPen(QPen(theme.text, 1.5));
        painter.setBrush(theme.stepMark);
        painter.drawEllipse(now, 5, 5);
    }
    painter.restore();
}

QRectF EntropyPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    const QPointF at(axes.x(temperatureAt(mark)),
                     axes.y(shown_.curve.entropies[static_cast<std::size_t>(mark.column)]));
    return {at.x() - 5, at.y() - 5, 10, 10};
}

std::optional<MapCell> EntropyPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    if (columns() == 0 || !axes.plot().adjusted(-4, 0, 4, 0).contains(point))
        return std::nullopt;
    const double share = (point.x() - axes.plot().left()) / axes.plot().width();
    return MapCell{0, std::clamp(static_cast<int>(std::round(share * (columns() - 1))), 0, columns() - 1)};
}

QString EntropyPicture::inWords(MapCell mark) const {
    if (!shown_.stillOf.isEmpty())
        return SoftmaxPicturesWords::tr("%1: computing this head...").arg(rowName(mark.row));
    return SoftmaxPicturesWords::tr("Temperature %1: mean entropy of a row %2 bits")
        .arg(columnName(mark.column),
             numberText(shown_.curve.entropies[static_cast<std::size_t>(mark.column)]));
}

QString EntropyPicture::rowName(int) const {
    return SoftmaxPicturesWords::tr("mean entropy of a row, bits");
}

QString EntropyPicture::columnName(int column) const {
    return axisNumber(temperatureAt({0, column}));
}

} // namespace headscope::widgets

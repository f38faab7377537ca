#include "widgets/views/scale/heads_temperature_pictures.h"

#include "widgets/drawing/theme.h"
#include "widgets/views/scale/score_pictures.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::widgets {

namespace {

struct HeadsTemperaturePicturesWords {
    Q_DECLARE_TR_FUNCTIONS(HeadsTemperature)
};

constexpr double leastBits = 0.1; ///< minimum range of an axis, for rows without entropy
constexpr std::array headsTemperatureDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};

Qt::PenStyle dashOf(trace::AttentionKind kind) {
    return headsTemperatureDashes[static_cast<std::size_t>(kind)];
}

/// The kinds of `all`, in order of appearance.
template <class Of>
std::vector<trace::AttentionKind> kindsOf(const std::vector<Of>& all) {
    std::vector<trace::AttentionKind> kinds;
    for (const auto& one : all)
        if (std::ranges::find(kinds, one.head.site.kind) == kinds.end())
            kinds.push_back(one.head.site.kind);
    return kinds;
}

} // namespace

HeadsPicture::HeadsPicture(std::vector<analysis::HeadAtTemperature> heads, Shown shown,
                           std::optional<trace::HeadAddress> chosen)
    : heads_(std::move(heads)), shown_(shown), chosen_(chosen) {}

double HeadsPicture::value(MapCell mark) const {
    const auto& head = heads_[static_cast<std::size_t>(mark.column)];
    if (shown_ == Shown::Hard)
        return head.hard;
    return std::array{head.mean, head.least, head.most, head.even}.at(static_cast<std::size_t>(mark.row));
}

PlotFrame HeadsPicture::frame(const QRectF& area, const QFont& font) const {
    double most = shown_ == Shown::Hard ? 1 : leastBits;
    for (const auto& head : heads_)
        if (shown_ == Shown::Entropy)
            most = std::max({most, head.most, head.even});
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    return {{.least = 0,
             .most = std::max(1.0, static_cast<double>(heads_.size())),
             .title = HeadsTemperaturePicturesWords::tr("heads, in order"),
             .numbered = false},
            {.least = 0,
             .most = most * 1.05,
             .title = shown_ == Shown::Hard ? HeadsTemperaturePicturesWords::tr("weight of the largest key")
                                            : HeadsTemperaturePicturesWords::tr("entropy of a row, bits")},
            font,
            area.adjusted(0, above, 0, 0)};
}

std::vector<LegendEntry> HeadsPicture::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries;
    for (const auto kind : kindsOf(heads_))
        entries.push_back({[kind, &theme](QPainter& painter, const QRectF& sample) {
                               painter.setRenderHint(QPainter::Antialiasing);
                               drawKindMark(painter, sample.center(), kind, false, theme);
                           },
                           kindTitle(kind)});
    if (shown_ == Shown::Hard)
        return entries;
    entries.push_back({[&theme](QPainter& painter, const QRectF& sample) {
                           painter.setPen(QPen(theme.faintText, 1.5));
                           painter.drawLine(QPointF(sample.center().x(), sample.top()),
                                            QPointF(sample.center().x(), sample.bottom()));
                       },
                       HeadsTemperaturePicturesWords::tr("least to most")});
    entries.push_back({[&theme](QPainter& painter, const QRectF& sample) {
                           painter.setPen(QPen(theme.text, 1.5));
                           painter.drawLine(QPointF(sample.left() + 2, sample.center().y()),
                                            QPointF(sample.right() - 2, sample.center().y()));
                       },
                       HeadsTemperaturePicturesWords::tr("uniform attention")});
    return entries;
}

void HeadsPicture::drawHead(QPainter& painter, const PlotFrame& axes, int column, const Theme& theme) const {
    const auto& head = heads_[static_cast<std::size_t>(column)];
    const double at = axes.x(column + 0.5);
    const double half = std::clamp((axes.x(1) - axes.x(0)) * 0.4, 1.0, 6.0);
    if (shown_ == Shown::Entropy) {
        painter.setPen(QPen(theme.faintText, 1.5));
        painter.drawLine(QPointF(at, axes.y(head.least)), QPointF(at, axes.y(head.most)));
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawLine(QPointF(at - half, axes.y(head.even)), QPointF(at + half, axes.y(head.even)));
    }
    drawKindMark(painter, {at, axes.y(value({0, column}))}, head.head.site.kind, false, theme);
}

void HeadsPicture::draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
    if (heads_.empty())
        return;
    drawLegend(&painter, area, legend(theme), font, theme);
    const PlotFrame axes = frame(area, font);
    for (int column = 0; column < columns(); ++column)
        if (heads_[static_cast<std::size_t>(column)].head == chosen_) {
            const QRectF band(QPointF(axes.x(column), axes.plot().top()),
                              QPointF(axes.x(column + 1), axes.plot().bottom()));
            painter.fillRect(band, theme.panel);
            painter.setPen(theme.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(band);
        }
    axes.draw(painter, theme);
    painter.save();
    for (int column = 1; column < columns(); ++column)
        if (heads_[static_cast<std::size_t>(column)].head.site !=
            heads_[static_cast<std::size_t>(column) - 1].head.site) {
            painter.setPen(QPen(theme.line, 1, Qt::DotLine)); // between layers
            painter.drawLine(QPointF(axes.x(column), axes.plot().top()),
                             QPointF(axes.x(column), axes.plot().bottom()));
        }
    painter.setRenderHint(QPainter::Antialiasing);
    for (int column = 0; column < columns(); ++column)
        drawHead(painter, axes, column, theme);
    painter.restore();
}

QRectF HeadsPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    const QPointF at(axes.x(mark.column + 0.5), axes.y(value(mark)));
    return {at.x() - 6, at.y() - 6, 12, 12};
}

/// Returns the head at this column and the nearest of its marks.
std::optional<MapCell> HeadsPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    if (heads_.empty() || !axes.plot().contains(point))
        return std::nullopt;
    MapCell found{0, std::clamp(static_cast<int>(axes.valueAt(point.x())), 0, columns() - 1)};
    for (int row = 1; row < rows(); ++row)
        if (std::abs(axes.y(value({row, found.column})) - point.y()) <
            std::abs(axes.y(value(found)) - point.y()))
            found.row = row;
    return found;
}

QString HeadsPicture::inWords(MapCell mark) const {
    const auto& head = heads_[static_cast<std::size_t>(mark.column)];
    const QString rows =
        head.rows == head.allRows
            ? HeadsTemperaturePicturesWords::tr("%1 rows").arg(head.rows)
            : HeadsTemperaturePicturesWords::tr("%1 of %2 rows").arg(head.rows).arg(head.allRows);
    if (shown_ == Shown::Hard)
        return HeadsTemperaturePicturesWords::tr("%1: mean weight of the key with the largest score %2 (%3)")
            .arg(address(head.head), numberText(head.hard), rows);
    return HeadsTemperaturePicturesWords::tr("%1: %2 %3 bits (%4)")
        .arg(address(head.head), rowName(mark.row), numberText(value(mark)), rows);
}

QString HeadsPicture::rowName(int row) const {
    if (shown_ == Shown::Hard)
        return HeadsTemperaturePicturesWords::tr("mean weight of the largest key");
    switch (row) {
    case 1:
        return HeadsTemperaturePicturesWords::tr("least entropy of a row");
    case 2:
        return HeadsTemperaturePicturesWords::tr("largest entropy of a row");
    case 3:
        return HeadsTemperaturePicturesWords::tr("mean entropy of uniform attention");
    default:
        return HeadsTemperaturePicturesWords::tr("mean entropy of a row");
    }
}

QString HeadsPicture::columnName(int column) const {
    return address(heads_[static_cast<std::size_t>(column)].head);
}

HeadCurvesPicture::HeadCurvesPicture(std::vector<analysis::HeadCurve> curves, double temperature,
                                     std::optional<trace::HeadAddress> chosen)
    : curves_(std::move(curves)), temperature_(temperature), chosen_(chosen) {}

double HeadCurvesPicture::bits(MapCell mark) const {
    return curves_[static_cast<std::size_t>(mark.row)].curve.entropies[static_cast<std::size_t>(mark.column)];
}

PlotFrame HeadCurvesPicture::frame(const QRectF& area, const QFont& font) const {
    double most = leastBits;
    for (const auto& one : curves_)
        most = std::max(most, one.curve.even);
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    return {{.least = analysis::lowestTemperature,
             .most = analysis::highestTemperature,
             .logarithmic = true,
             .title = HeadsTemperaturePicturesWords::tr("temperature, logarithmic")},
            {.least = 0,
             .most = most * 1.05,
             .title = HeadsTemperaturePicturesWords::tr("mean entropy of a row, bits")},
            font,
            area.adjusted(0, above, 0, 0)};
}

std::vector<LegendEntry> HeadCurvesPicture::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries;
    const auto line = [](const QPen& pen) {
        return [pen](QPainter& painter, const QRectF& sample) {
            painter.setPen(pen);
            painter.drawLine(QPointF(sample.left(), sample.center().y()),
                             QPointF(sample.right(), sample.center().y()));
        };
    };
    for (const auto kind : kindsOf(curves_))
        entries.push_back(
            {line(QPen(categoryColours(theme)[static_cast<std::size_t>(kind)], 1.5, dashOf(kind))),
             kindTitle(kind)});
    if (chosen_ && std::ranges::find(curves_, *chosen_, &analysis::HeadCurve::head) != curves_.end())
        entries.push_back({line(QPen(theme.text, 3)), address(*chosen_)});
    return entries;
}

void HeadCurvesPicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                             const Theme& theme) const {
    if (curves_.empty())
        return;
    drawLegend(&painter, area, legend(theme), font, theme);
    const PlotFrame axes = frame(area, font);
    axes.draw(painter, theme);
    painter.save();
    for (const auto& [temperature, pen] : {std::pair(1.0, QPen(theme.faintText, 1, Qt::DashLine)),
                                           std::pair(temperature_, QPen(theme.stepMark, 2))}) {
        painter.setPen(pen);
        painter.drawLine(QPointF(axes.x(temperature), axes.plot().top()),
                         QPointF(axes.x(temperature), axes.plot().bottom()));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool chosen : {false, true}) // draws the chosen curve on top
        for (const auto& [head, curve] : curves_) {
            if ((head == chosen_) != chosen)
                continue;
            QPolygonF line;
            for (std::size_t i = 0; i < curve.temperatures.size(); ++i)
                line << QPointF(axes.x(curve.temperatures[i]), axes.y(curve.entropies[i]));
            painter.setPen(chosen ? QPen(theme.text, 3)
                                  : QPen(categoryColours(theme)[static_cast<std::size_t>(head.site.kind)],
                                         1.2, dashOf(head.site.kind)));
            painter.drawPolyline(line);
        }
    painter.restore();
}

QRectF HeadCurvesPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    const QPointF at(axes.x(temperatureAt(mark)), axes.y(bits(mark)));
    return {at.x() - 5, at.y() - 5, 10, 10};
}

std::optional<MapCell> HeadCurvesPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    if (curves_.empty() || !axes.plot().adjusted(-4, 0, 4, 0).contains(point))
        return std::nullopt;
    const double share = (point.x() - axes.plot().left()) / axes.plot().width();
    MapCell found{0, std::clamp(static_cast<int>(std::round(share * (columns() - 1))), 0, columns() - 1)};
    for (int row = 1; row < rows(); ++row)
        if (std::abs(axes.y(bits({row, found.column})) - point.y()) <
            std::abs(axes.y(bits(found)) - point.y()))
            found.row = row;
    return found;
}

QString HeadCurvesPicture::inWords(MapCell mark) const {
    return HeadsTemperaturePicturesWords::tr("%1 at temperature %2: mean entropy of a row %3 bits")
        .arg(rowName(mark.row), columnName(mark.column), numberText(bits(mark)));
}

QString HeadCurvesPicture::rowName(int row) const {
    return address(curves_[static_cast<std::size_t>(row)].head);
}

QString HeadCurvesPicture::columnName(int column) const {
    return axisNumber(temperatureAt({0, column}));
}

} // namespace headscope::widgets

#include "widgets/views/scale/score_pictures.h"

#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

struct ScorePicturesWords {
    Q_DECLARE_TR_FUNCTIONS(ScorePictures)
};

QString spreadText(const QString& what, const analysis::ScoreSpread& spread) {
    return ScorePicturesWords::tr("%1: mean %2, variance %3")
        .arg(what, axisNumber(spread.mean), axisNumber(spread.variance));
}

/// Outlines differ in dashes as well as in colour.
QPen outlinePen(int row, const Theme& theme) {
    return {categoryColours(theme)[static_cast<std::size_t>(row)], 2,
            row == 1 ? Qt::SolidLine : Qt::DashLine};
}

} // namespace

double ScoresPicture::edge(int bin) const {
    return scores_.lowest + (scores_.highest - scores_.lowest) * bin / std::max(1, columns());
}

const std::vector<double>& ScoresPicture::shares(int row) const {
    return row == 0 ? scores_.scaled : row == 1 ? scores_.products : scores_.divided;
}

std::vector<LegendEntry> ScoresPicture::legend(const Theme& theme) const {
    const QColor bars = categoryColours(theme)[0];
    std::vector<LegendEntry> entries{
        {[bars](QPainter& painter, const QRectF& sample) { painter.fillRect(sample, bars); },
         spreadText(rowName(0), scores_.ofScaled)}};
    for (int row = 1; row < rows(); ++row)
        entries.push_back({[pen = outlinePen(row, theme)](QPainter& painter, const QRectF& sample) {
                               painter.setPen(pen);
                               painter.drawRect(sample.adjusted(1, 1, -1, -1));
                           },
                           spreadText(rowName(row), row == 1 ? scores_.ofProducts : scores_.ofDivided)});
    return entries;
}

PlotFrame ScoresPicture::frame(const QRectF& area, const QFont& font) const {
    double most = 0;
    for (int row = 0; row < rows(); ++row)
        most = std::max(most, *std::ranges::max_element(shares(row)));
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    return {{.least = scores_.lowest, .most = scores_.highest, .title = ScorePicturesWords::tr("score")},
            {.least = 0, .most = most, .title = ScorePicturesWords::tr("share of the allowed cells")},
            font,
            area.adjusted(0, above, 0, 0)};
}

void ScoresPicture::draw(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
    if (columns() == 0)
        return;
    drawLegend(&painter, area, legend(theme), font, theme);
    const PlotFrame axes = frame(area, font);
    axes.draw(painter, theme);
    for (int bin = 0; bin < columns(); ++bin)
        painter.fillRect(place({0, bin}, area, font), categoryColours(theme)[0]);
    for (int row = 1; row < rows(); ++row) {
        QPolygonF outline{QPointF(axes.x(edge(0)), axes.plot().bottom())};
        for (int bin = 0; bin < columns(); ++bin) {
            const QRectF wide = place({row, bin}, area, font);
            outline << wide.topLeft() << wide.topRight();
        }
        outline << QPointF(axes.x(edge(columns())), axes.plot().bottom());
        painter.setPen(outlinePen(row, theme));
        painter.drawPolyline(outline);
    }
}

QRectF ScoresPicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    return {QPointF(axes.x(edge(mark.column)), axes.y(share(mark))),
            QPointF(axes.x(edge(mark.column + 1)), axes.plot().bottom())};
}

std::optional<MapCell> ScoresPicture::at(QPointF point, const QRectF& area, const QFont& font) const {
    const PlotFrame axes = frame(area, font);
    if (columns() == 0 || !axes.plot().contains(point))
        return std::nullopt;
    const int bin =
        std::clamp(static_cast<int>((point.x() - axes.plot().left()) / axes.plot().width() * columns()), 0,
                   columns() - 1);
    for (int row = 0; row < rows(); ++row)
        if (point.y() >= axes.y(share({row, bin})))
            return MapCell{row, bin};
    return MapCell{0, bin};
}

QString ScoresPicture::inWords(MapCell mark) const {
    return ScorePicturesWords::tr("%1, scores %2: %3 % of the cells")
        .arg(rowName(mark.row), columnName(mark.column), axisNumber(100 * share(mark)));
}

QString ScoresPicture::rowName(int row) const {
    const QString factor = axisNumber(scores_.factor);
    return row == 0 ? ScorePicturesWords::tr("Scaled scores (× %1)").arg(factor)
           : row == 1
               ? ScorePicturesWords::tr("q · k")
               : ScorePicturesWords::tr("× %1 / (T = %2)").arg(factor, axisNumber(scores_.temperature));
}

QString ScoresPicture::columnName(int column) const {
    return ScorePicturesWords::tr("%1 to %2").arg(axisNumber(edge(column)), axisNumber(edge(column + 1)));
}

} // namespace headscope::widgets

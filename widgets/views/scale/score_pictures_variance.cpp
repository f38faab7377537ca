// The variances of the heads over d_k.
#include "widgets/drawing/theme.h"
#include "widgets/tables/table_column.h"
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

struct ScorePicturesVarianceWords {
    Q_DECLARE_TR_FUNCTIONS(ScorePictures)
};

constexpr double markRadius = 4;
constexpr double octaves = 1.5; ///< width of the band of heads with the same d_k

QString initialisationText(analysis::Initialisation initialisation) {
    switch (initialisation) {
    case analysis::Initialisation::Xavier:
        return ScorePicturesVarianceWords::tr("d_k: variance 1 a component; %1")
            .arg(initialisationName(initialisation));
    case analysis::Initialisation::StackedXavier:
        return ScorePicturesVarianceWords::tr("d_k/4: %1").arg(initialisationName(initialisation));
    case analysis::Initialisation::TorchLinear:
        return ScorePicturesVarianceWords::tr("d_k/9: %1").arg(initialisationName(initialisation));
    }
    return {};
}

constexpr std::array scorePicturesVarianceDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};

} // namespace

QString initialisationName(analysis::Initialisation initialisation) {
    switch (initialisation) {
    case analysis::Initialisation::Xavier:
        return QStringLiteral("Xavier");
    case analysis::Initialisation::StackedXavier:
        return QStringLiteral("nn.MultiheadAttention");
    case analysis::Initialisation::TorchLinear:
        return QStringLiteral("nn.Linear");
    }
    return {};
}

void drawKindMark(QPainter& painter, QPointF at, trace::AttentionKind kind, bool hollow, const Theme& theme) {
    const QColor colour = categoryColours(theme)[static_cast<std::size_t>(kind)];
    painter.setPen(QPen(colour, 1.3));
    painter.setBrush(hollow ? theme.background : colour);
    const double r = markRadius;
    switch (kind) {
    case trace::AttentionKind::EncoderSelf:
        return painter.drawEllipse(at, r, r);
    case trace::AttentionKind::DecoderSelf:
        return painter.drawRect(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    case trace::AttentionKind::Cross:
        painter.drawPolygon(
            QPolygonF{at + QPointF(0, -r - 1), at + QPointF(r + 1, r), at + QPointF(-r - 1, r)});
    }
}

VariancePicture::VariancePicture(std::vector<analysis::HeadSpread> heads,
                                 std::vector<analysis::HeadSpread> twin, int headWidth)
    : heads_(std::move(heads)), headWidth_(std::max(1, headWidth)) {
    for (const auto& spread : heads_) {
        if (sites_.empty() || sites_.back() != spread.head.site)
            sites_.push_back(spread.head.site);
        const auto same = std::ranges::find(twin, spread.head, &analysis::HeadSpread::head);
        if (same != twin.end())
            twin_.push_back(*same);
    }
    if (twin_.size() != heads_.size())
        twin_.clear(); // the twin of another model
}

/// Position of a head on the d_k axis: near its d_k, so that layers are side by side.
double VariancePicture::widthOf(MapCell mark) const {
    const auto& site = of(mark.row)[static_cast<std::size_t>(mark.column)].head.site;
    const auto index = static_cast<double>(std::ranges::find(sites_, site) - sites_.begin());
    const auto count = static_cast<double>(sites_.size());
    const double share = (index + (mark.row == 0 ? 0.3 : 0.7)) / count - 0.5;
    return headWidth_ * std::exp2(octaves * share);
}

PlotFrame VariancePicture::frame(const QRectF& area, const QFont& font) const {
    const double least = headWidth_ / 4.0;
    const double most = headWidth_ * 4.0;
    double low = analysis::varianceAtFirst(analysis::Initialisation::TorchLinear, headWidth_) / 4;
    double high = most;
    for (const auto* spreads : {&heads_, &twin_})
        for (const auto& spread : *spreads)
            if (spread.products.variance > 0) {
                low = std::min(low, spread.products.variance);
                high = std::max(high, spread.products.variance);
            }
    const double above = drawLegend(nullptr, area, legend(lightTheme()), font, lightTheme());
    return {{.least = least,
             .most = most,
             .logarithmic = true,
             .title = ScorePicturesVarianceWords::tr("d_k, logarithmic")},
            {.least = low / 1.3,
             .most = high * 1.3,
             .logarithmic = true,
             .title = ScorePicturesVarianceWords::tr("variance of q · k, logarithmic")},
            font,
            area.adjusted(0, above, 0, 0)};
}

std::vector<LegendEntry> VariancePicture::legend(const Theme& theme) const {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < analysis::initialisations.size(); ++i)
        entries.push_back({[colour = theme.faintText,
                            dash = scorePicturesVarianceDashes[i]](QPainter& painter, const QRectF& sample) {
                               painter.setPen(QPen(colour, 1.5, dash));
                               painter.drawLine(QPointF(sample.left(), sample.center().y()),
                                                QPointF(sample.right(), sample.center().y()));
                           },
                           initialisationText(analysis::initialisations[i])});
    std::vector<trace::AttentionKind> kinds;
    for (const auto& site : sites_)
        if (std::ranges::find(kinds, site.kind) == kinds.end())
            kinds.push_back(site.kind);
    for (const auto kind : kinds)
        entries.push_back({[kind, &theme](QPainter& painter, const QRectF& sample) {
                               painter.setRenderHint(QPainter::Antialiasing);
                               drawKindMark(painter, sample.center(), kind, false, theme);
                           },
                           kindTitle(kind)});
    if (!twin_.empty())
        entries.push_back({[kinds, &theme](QPainter& painter, const QRectF& sample) {
                               painter.setRenderHint(QPainter::Antialiasing);
                               drawKindMark(painter, sample.center(), kinds.front(), true, theme);
                           },
                           ScorePicturesVarianceWords::tr("hollow: random twin")});
    return entries;
}

void VariancePicture::draw(QPainter& painter, const QRectF& area, const QFont& font,
                           const Theme& theme) const {
    drawLegend(&painter, area, legend(theme), font, theme);
    const PlotFrame axes = frame(area, font);
    axes.draw(painter, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(axes.plot());
    // Within the band all heads have the same d_k, so the lines are flat there.
    const double from = headWidth_ * std::exp2(-octaves / 2);
    const double to = headWidth_ * std::exp2(octaves / 2);
    painter.fillRect(
        QRectF(QPointF(axes.x(from), axes.plot().top()), QPointF(axes.x(to), axes.plot().bottom())),
        theme.panel);
    for (std::size_t i = 0; i < analysis::initialisations.size(); ++i) {
        const double atWidth = analysis::varianceAtFirst(analysis::initialisations[i], headWidth_);
        const auto at = [&](double width, double shown) {
            return QPointF(axes.x(shown), axes.y(atWidth * width / headWidth_)); // proportional to d_k
        };
        painter.setPen(QPen(theme.faintText, 1.5, scorePicturesVarianceDashes[i]));
        painter.drawLine(at(headWidth_ / 4.0, headWidth_ / 4.0), at(from, from));
        painter.drawLine(at(headWidth_, from), at(headWidth_, to));
        painter.drawLine(at(to, to), at(headWidth_ * 4.0, headWidth_ * 4.0));
    }
    for (int row = rows() - 1; row >= 0; --row)
        for (int column = 0; column < columns(); ++column) {
            const auto& spread = of(row)[static_cast<std::size_t>(column)];
            if (spread.products.variance > 0)
                drawKindMark(painter, {axes.x(widthOf({row, column})), axes.y(spread.products.variance)},
                             spread.head.site.kind, row == 1, theme);
        }
    painter.restore();
}

QRectF VariancePicture::place(MapCell mark, const QRectF& area, const QFont& font) const {
    const double variance = of(mark.row)[static_cast<std::size_t>(mark.column)].products.variance;
    if (!(variance > 0))
        return {};
    const PlotFrame axes = frame(area, font);
    const QPointF at(axes.x(widthOf(mark)), axes.y(variance));
    const double r = markRadius + 2;
    return {at.x() - r, at.y() - r, 2 * r, 2 * r};
}

QString VariancePicture::inWords(MapCell mark) const {
    const auto& spread = of(mark.row)[static_cast<std::size_t>(mark.column)];
    const QString words = ScorePicturesVarianceWords::tr("%1: variance of q · k %2, %3 times d_k (%4 cells)")
                              .arg(address(spread.head), preciseText(spread.products.variance),
                                   axisNumber(spread.products.variance / headWidth_))
                              .arg(spread.products.cells);
    return mark.row == 0 ? words : ScorePicturesVarianceWords::tr("Random twin, %1").arg(words);
}

QString VariancePicture::rowName(int row) const {
    return row == 0 ? ScorePicturesVarianceWords::tr("this model")
                    : ScorePicturesVarianceWords::tr("random twin");
}

QString VariancePicture::columnName(int column) const {
    return address(heads_[static_cast<std::size_t>(column)].head);
}

} // namespace headscope::widgets

// The exported figure, with the chosen tokens below the curve.
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/source_share/source_share.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

namespace {

constexpr QSize shortest(800, 160);

/// Minimum width for the upright names of all steps.
int widthOf(std::size_t steps, double line) {
    return static_cast<int>(std::ceil(static_cast<double>(steps + 6) * (line + 1)));
}

} // namespace

void SourceShareView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    animationHeights_.clear();
}

LabelsBelow SourceShareView::labelsBelow(double width) const {
    LabelsBelow below{.font = font(), .upright = true, .decoded = rowsDecoded(), .spaceMarks = spaceMarks_};
    for (std::size_t t = 0; t < shares_.size() && run_ && t < run_->next.size(); ++t)
        below.labels.push_back(tokenLabel(run_->next, t));
    below.pitch = plot(QRectF(0, 0, width, 1e4), false).width() /
                  static_cast<double>(std::max<std::size_t>(1, shares_.size()));
    return below;
}

QString SourceShareView::wordsBelow(int step, const LabelsBelow& labels) const {
    const QString caption = figureParts().marks ? figureCaption(step) : whatIsDrawn();
    return wordsWithNamed(caption, figureParts(), [&](const QString&) { return labels.inWords(); });
}

/// In an animation, the largest height of all steps, so that the curve does not move.
double SourceShareView::captionHeight(double width, const LabelsBelow& labels) const {
    const QFontMetricsF metrics(font());
    const QRectF room(0, 0, width - 16, 1e4);
    const auto heightAt = [&](int step) {
        const QString words = wordsBelow(step, labels);
        return words.isEmpty() ? 0 : metrics.boundingRect(room, Qt::TextWordWrap, words).height();
    };
    if (!isAnimated())
        return heightAt(step_);
    const auto [kept, isNew] = animationHeights_.try_emplace({width, wordsBelow(0, labels)}, 0);
    for (std::size_t step = 0; isNew && step < shares_.size(); ++step)
        kept->second = std::max(kept->second, heightAt(static_cast<int>(step)));
    return kept->second;
}

/// Height of labels and caption below the curve.
double SourceShareView::wordsHeight(double width, const LabelsBelow& labels) const {
    const double caption = captionHeight(width, labels);
    return labels.height() + caption + (caption > 0 ? 1.2 : 0.8) * QFontMetricsF(font()).height();
}

/// Height of the caption beyond its first row; negative without a caption.
double SourceShareView::furtherRows(double width, const LabelsBelow& labels) const {
    const double line = QFontMetricsF(font()).height();
    const double caption = captionHeight(width, labels);
    return caption > 0 ? std::max(0.0, caption - line) : -1.4 * line;
}

QSize SourceShareView::uprightFigure(int width) const {
    const double curve = shortest.height() - 3.2 * QFontMetricsF(font()).height();
    return {width, static_cast<int>(std::ceil(curve + wordsHeight(width, labelsBelow(width))))};
}

/// Upright labels if they are wider than the distance of the steps, and a page wide enough for up to
/// mostNamed of them.
QSize SourceShareView::figureSize() const {
    const auto level = labelsBelow(shortest.width());
    if (!hasFigure() || level.widest() <= level.pitch)
        return shortest + QSize(0, static_cast<int>(std::ceil(furtherRows(shortest.width(), level))));
    const auto named = std::min(shares_.size(), static_cast<std::size_t>(mostNamed));
    return uprightFigure(std::max(shortest.width(), widthOf(named, QFontMetricsF(font()).height())));
}

QSize SourceShareView::narrowFigure(int width) const {
    const QSize usual = figureSize();
    const int wide = std::max(width, widthOf(shares_.size(), QFontMetricsF(font()).height()));
    return !hasFigure() || wide >= usual.width() ? usual : uprightFigure(wide);
}

void SourceShareView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF page(0, 0, size.width(), size.height());
    painter.fillRect(page, theme.background);
    painter.setFont(font());
    const double line = QFontMetricsF(font()).height();
    LabelsBelow labels = labelsBelow(size.width());
    const double below = wordsHeight(size.width(), labels);
    labels.upright = labels.widest() > labels.pitch && size.height() - below >= 4 * line;
    const double further = furtherRows(size.width(), labels);
    const QRectF area = plot(page.adjusted(0, 0, 0, labels.upright ? -below : -3.2 * line - further), false);
    drawAxis(painter, area, theme);
    drawCurve(painter, area, false, std::nullopt, theme);
    painter.setPen(theme.text);
    labels.draw(painter, area.bottomLeft() + QPointF(0, line / 2), theme);
    const double caption = labels.upright ? below - labels.height() - 0.8 * line : 1.4 * line + further;
    painter.drawText(QRectF(8, size.height() - caption, size.width() - 16, caption),
                     Qt::AlignLeft | Qt::TextWordWrap, wordsBelow(step_, labels));
}

trace::FigureData SourceShareView::figureData() const {
    trace::FigureData data;
    if (hasFigure())
        data.arrays.push_back(
            dataArray("source_share", shares_,
                      dataAxis("step", run_->next.size() == shares_.size() ? tokenLabels(run_->next)
                                                                           : std::vector<TokenLabel>())));
    return data;
}

std::optional<PictureOptions> SourceShareView::picture(PictureOptions options) const {
    return ofView(std::move(options), "source-share");
}

} // namespace headscope::widgets

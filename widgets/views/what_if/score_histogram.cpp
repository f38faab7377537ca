#include "widgets/views/what_if/score_histogram.h"

#include "widgets/drawing/theme.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr double scoreHistogramGap = 4;

} // namespace

ScoreHistogram::ScoreHistogram(QWidget* parent) : QWidget(parent) {
    setLayoutDirection(Qt::LeftToRight); // as numbers and steps run
    setAccessibleName(tr("Distribution of the scores"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setScores({});
}

void ScoreHistogram::setScores(analysis::ScoreComparison scores,
                               const std::optional<analysis::EntropyComparison>& entropies) {
    scores_ = std::move(scores);
    entropies_ = entropies;
    setVisible(scores_.before.cells > 0);
    describeForReaders(this, inWords());
    setToolTip(plainToolTip(inWords()));
    update();
}

QString ScoreHistogram::inWords() const {
    const auto& [lowest, highest, before, after] = scores_;
    if (before.cells == 0)
        return {};
    const QString deviations =
        tr("Standard deviation of the scores: %1 original, %2 changed.")
            .arg(numberText(before.standardDeviation), numberText(after.standardDeviation));
    if (!entropies_)
        return deviations;
    return tr("%1 Mean entropy of a row: %2 bits original, %3 changed, %4 at most.")
        .arg(deviations, numberText(entropies_->first.mean), numberText(entropies_->second.mean),
             numberText(entropies_->second.largest));
}

void ScoreHistogram::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setFont(font());
    const double line = fontMetrics().height();
    const QRectF plot(0, line + scoreHistogramGap, width() - 1, height() - 2 * line - 3 * scoreHistogramGap);
    const auto highest = [](const auto& distribution) {
        return *std::ranges::max_element(distribution.shares);
    };
    if (scores_.before.shares.empty())
        return;
    const double top = std::max(highest(scores_.before), highest(scores_.after));
    const double wide = plot.width() / static_cast<double>(bins);
    painter.setPen(theme.faintText);
    painter.drawText(QRectF(plot.left(), 0, plot.width(), line), Qt::AlignLeft,
                     fontMetrics().elidedText(tr("Scores: bars original, line changed"), Qt::ElideRight,
                                              static_cast<int>(plot.width())));
    const QRectF below(plot.left(), plot.bottom() + scoreHistogramGap, plot.width(), line);
    painter.drawText(below, Qt::AlignLeft, numberText(scores_.lowest));
    painter.drawText(below, Qt::AlignRight, numberText(scores_.highest));
    QPolygonF outline{plot.bottomLeft()};
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double left = plot.left() + static_cast<double>(bin) * wide;
        const double filled = scores_.before.shares[bin] / top * plot.height();
        painter.fillRect(QRectF(left, plot.bottom() - filled, wide, filled), theme.line);
        const double high = plot.bottom() - scores_.after.shares[bin] / top * plot.height();
        outline << QPointF(left, high) << QPointF(left + wide, high);
    }
    outline << plot.bottomRight();
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawPolyline(outline);
}

} // namespace headscope::widgets

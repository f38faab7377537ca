// The picture's words, what stands where there is no picture, and the picture that is saved.
#include "model/analysis/recomputed_map.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/positions/shift_page.h"
#include "widgets/views/positions/word_position_page.h"
#include "widgets/words/captions.h"
#include "widgets/words/way_to_a_run.h"

#include <QLabel>
#include <QPainter>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace headscope::widgets {

QString PositionalEncodingView::tableCaption() const {
    if (table_.byDistance)
        return distanceCaption(*model(), side(), page() == Page::Table);
    const auto count = shownRows();
    const QString what = page() == Page::Curves  ? dimensionsInWords(dimensions_, table_.all->columns())
                         : page() == Page::Table ? tr("The vectors, positions down and dimensions across,")
                                                 : tr("Cosine similarity of the vectors");
    const QString side = this->side() == PositionSide::Source ? tr("source") : tr("target");
    const QString which = model()->recorded
                              ? tr("%1 that the model adds to its %2 embeddings: the first %3 of the %4 "
                                   "positions that the trace holds.")
                              : tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 "
                                   "positions, as the model holds them.");
    QString words = which.arg(what, side).arg(count).arg(table_.all->rows());
    words += QChar(' ') + originInWords(*model(), origin_);
    if (jump_)
        words += QChar(' ') + jumpInWords(*jump_);
    if (page() != Page::Curves)
        words += sharedPixelsInWords(Pooling::Extreme, static_cast<std::size_t>(count),
                                     page() == Page::Table ? table_.all->columns()
                                                           : static_cast<std::size_t>(count));
    const auto found = std::ranges::count_if(table_.rows, [](const auto& row) { return row.has_value(); });
    if (found > 0)
        words += QChar(' ') + tr("Marked: where this sentence stands (%1 positions).").arg(found);
    return words;
}

QString PositionalEncodingView::whyNothing() const {
    if (!run_)
        return wayToARun(*this);
    if (showsTurnedScore()) {
        if (!run_->complete)
            return tr("The sentence is still being decoded.");
        if (!scoredHead() || !run_->record(scoredHead()->site))
            return tr("There is no target: nothing was decoded.");
        if (analysis::lacksScores(*run_->record(scoredHead()->site)))
            return tr("This trace holds no scores of this head: %1/scores records them.")
                .arg(side() == PositionSide::Source ? "encoder_self" : "decoder_self");
        if (placesChanged(*run_))
            return tr(
                "A what-if has taken the tokens from their places: switch it off to see scores by distance.");
    } else if (page() == Page::Scores || page() == Page::Words) {
        const QString why = page() == Page::Scores ? whyNoTerms(*run_, side()) : whyNoShares(*run_, side());
        if (!why.isEmpty())
            return why;
    } else if (!table_.all || table_.byDistance) {
        return whyNoVectors(*model(), side());
    }
    const PositionAnswer* known = answer();
    if (!known)
        return tr("It is being measured.");
    return known->question.about == PositionQuestion::About::Shift && known->whyNot.isEmpty()
               ? shiftCaption(known->shift, known->fittedShift, side())
               : known->whyNot;
}

QString PositionalEncodingView::caption() const {
    if (!hasFigure())
        return whyNothing();
    if (showsTurnedScore())
        return turnedScoreCaption();
    const PositionAnswer* known = isAnswered() ? answer() : nullptr;
    if (known && page() == Page::Scores)
        return scores_->caption();
    const QString words = showsRotation()               ? rotationCaption(*model())
                          : !known                      ? tableCaption()
                          : page() == Page::Wavelengths ? wavelengthsCaption(known->wavelengths, side())
                          : page() == Page::Shift ? shiftCaption(known->shift, known->fittedShift, side())
                                                  : sharesCaption(sharesOf(*known), side());
    return withModel(*model(), words);
}

QString PositionalEncodingView::whatIsMissing() const {
    switch (page()) {
    case Page::Wavelengths:
        return tr("Here it is drawn after how many positions each dimension repeats.");
    case Page::Shift:
        return tr("Here it is drawn how well one linear map leads from each position to a later one.");
    case Page::Words:
        return tr("Here it is drawn how much of each token's vector is its word, and how much its position.");
    case Page::Scores:
        return tr(
            "Here the scores of a first layer are taken apart into what comes from words, from positions "
            "and from biases.");
    default:
        return tr("Here the positional vectors that the model adds are drawn.");
    }
}

void PositionalEncodingView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0), whatIsMissing(), caption(), theme);
}

/// With little room the picture and its words scroll.
void PositionalEncodingView::keepHeights() {
    constexpr int leastLines = 14;
    stack_->setMinimumHeight(
        std::max(leastLines * fontMetrics().height(), stack_->currentWidget()->minimumSizeHint().height()));
}

void PositionalEncodingView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    keepHeights();
}

QRectF PositionalEncodingView::areaAbove(const QString& words, QSize size) const {
    const QRectF inside = QRectF(QPointF(), size).adjusted(12, 12, -12, -12);
    if (words.isEmpty())
        return inside;
    const double high = QFontMetricsF(font()).boundingRect(inside, Qt::TextWordWrap, words).height();
    return inside.adjusted(0, 0, 0, -high - 12);
}

QString PositionalEncodingView::figureWords(QSize size) const {
    return wordsWithNamed(figureCaption(), figureParts(), [&](const QString& below) {
        return page() != Page::Scores || showsTurnedScore() ? QString()
                                                            : scores_->namedInWords(areaAbove(below, size));
    });
}

/// A page of tokens is as long as they are, one of maps as high as they need.
QSize PositionalEncodingView::figureSize() const {
    QSize size = FigureSource::figureSize();
    if (hasFigure() && !figureParts().caption) { // the picture is as high as above one
        const double drawn = pictureArea(size).height();
        const FigureWithParts all(*this, {});
        size.rheight() -= static_cast<int>(drawn - pictureArea(size).height());
    }
    if (page() != Page::Words && page() != Page::Shift)
        return size;
    const int words = size.height() - static_cast<int>(pictureArea(size).height());
    return {size.width(), page() == Page::Words ? words + words_->figureHeight()
                                                : std::max(size.height(), words + shift_->figureHeight())};
}

/// Plots and maps keep about the shape of a page; others are as high as they need.
QSize PositionalEncodingView::narrowFigure(int width) const {
    constexpr double shape = 0.7; // of a picture: height to width
    const QSize usual = figureSize();
    if (!hasFigure() || page() == Page::Scores || width >= usual.width())
        return usual;
    constexpr int any = 10000;
    const QRectF picture = pictureArea({width, any});
    const double high = page() == Page::Words   ? words_->figureHeight()
                        : page() == Page::Shift ? shift_->figureHeight()
                                                : shape * picture.width();
    return {width, static_cast<int>(std::ceil(any - picture.height() + high))};
}

void PositionalEncodingView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF area(QPoint(), size);
    painter.fillRect(area, theme.background);
    if (!hasFigure())
        return;
    const QRectF picture = pictureArea(size);
    painter.setFont(font());
    if (page() == Page::Curves || showsTurnedScore())
        curves_->draw(painter, picture, theme);
    else if (page() == Page::Table || page() == Page::Similarity)
        (page() == Page::Table ? map_ : similarity_)->draw(painter, picture, theme);
    else if (page() == Page::Words)
        words_->drawFigure(painter, picture, figureParts(), theme);
    else if (page() == Page::Scores)
        scores_->drawFigure(painter, picture, theme);
    else if (page() == Page::Shift)
        shift_->draw(painter, picture, theme);
    else
        wavelengths_->picture()->draw(painter, picture, font(), theme);
    painter.setFont(font());
    painter.setPen(theme.text);
    painter.drawText(area.adjusted(12, 12, -12, -12), Qt::AlignBottom | Qt::TextWordWrap, figureWords(size));
}

QString PositionalEncodingView::quantityInFigure() const {
    switch (page()) {
    case Page::Similarity:
        return tr("cosine similarity");
    case Page::Wavelengths:
        return tr("wavelength");
    case Page::Shift:
        return tr("relative error");
    case Page::Words:
        return tr("share of the vector");
    case Page::Scores:
        return quantityName(Quantity::Scores);
    case Page::Curves:
    case Page::Table:
        break;
    }
    return table_.byDistance ? tr("bias") : tr("positional vector");
}

std::vector<double> PositionalEncodingView::zoomOf(Page page) const {
    if (page == Page::Curves)
        return curves_->zoom();
    const NumberMap* map = page == Page::Table ? map_ : similarity_;
    const QRectF seen = map->zoom();
    const bool isAll =
        !map->isEmpty() && seen.height() >= map->rowCount() && seen.width() >= map->columnCount();
    return seen.isEmpty() || isAll ? std::vector<double>()
                                   : std::vector{seen.x(), seen.y(), seen.width(), seen.height()};
}

void PositionalEncodingView::setZoom(Page page, const std::vector<double>& zoom) {
    if (page == Page::Curves)
        return curves_->setZoom(zoom);
    NumberMap* map = page == Page::Table ? map_ : similarity_;
    map->setZoom(zoom.size() == 4 ? QRectF(zoom[0], zoom[1], zoom[2], zoom[3]) : QRectF());
}

std::optional<PositionalEncodingView::Page> PositionalEncodingView::zoomedPage() const {
    if (page() == Page::Curves || showsTurnedScore())
        return Page::Curves;
    return page() == Page::Table || page() == Page::Similarity ? std::optional(page()) : std::nullopt;
}

QString PositionalEncodingView::partInWords() const {
    const auto zoomed = zoomedPage();
    if (!hasFigure() || !zoomed)
        return {};
    if (*zoomed == Page::Curves)
        return curves_->partInWords();
    if (zoomOf(*zoomed).empty())
        return {};
    const NumberMap* map = *zoomed == Page::Table ? map_ : similarity_;
    const QRectF seen = map->zoom();
    const auto name = [](double place, int last) { return std::clamp(static_cast<int>(place), 0, last); };
    const int bottom = map->rowCount() - 1, right = map->columnCount() - 1;
    return tr("Seen of it: rows %1 to %2, columns %3 to %4.")
        .arg(map->rowName(name(seen.top(), bottom)), map->rowName(name(std::ceil(seen.bottom()) - 1, bottom)),
             map->columnName(name(seen.left(), right)),
             map->columnName(name(std::ceil(seen.right()) - 1, right)));
}

QString PositionalEncodingView::figureCaption() const {
    const QString part = partInWords();
    return part.isEmpty() ? caption() : caption() + QChar(' ') + part;
}

FigureText PositionalEncodingView::figureText() const {
    const auto head = page() == Page::Scores ? scoredHead() : std::nullopt;
    return {.title = tr("Positions"),
            .caption = figureCaption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .head = head ? QString::fromStdString(trace::toString(*head)) : QString(),
            .quantity = hasFigure() ? quantityInFigure() : QString()};
}

bool PositionalEncodingView::hasFigure() const {
    if (showsRotation())
        return true;
    if (!isAnswered())
        return table_.all && !table_.all->empty() && !(table_.byDistance && page() == Page::Similarity);
    const PositionAnswer* known = answer();
    if (!known || !known->whyNot.isEmpty())
        return false;
    if (showsTurnedScore())
        return known->projected && turnedCell();
    return page() == Page::Wavelengths ? !known->wavelengths.dimensions.empty()
           : page() == Page::Shift     ? !known->shift.error.empty()
           : page() == Page::Words     ? !sharesOf(*known).shares.empty()
                                       : known->scores && !known->scores->scores.empty();
}

} // namespace headscope::widgets

// What each page of the positions shows, and what it has to ask for.
#include "model/analysis/positional_geometry.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/points_picture.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/positions/shift_page.h"
#include "widgets/views/positions/word_position_page.h"
#include "widgets/words/captions.h"

#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace headscope::widgets {

namespace {

using About = PositionQuestion::About;

trace::Matrix firstRows(const trace::Matrix& matrix, std::size_t count) {
    count = std::min(count, matrix.rows());
    const auto end = matrix.values().begin() + static_cast<std::ptrdiff_t>(count * matrix.columns());
    return {count, matrix.columns(), std::vector<float>(matrix.values().begin(), end)};
}

double largestMagnitude(const trace::Matrix& matrix) {
    double largest = 0;
    for (const float value : matrix.values())
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

} // namespace

std::size_t PositionalEncodingView::shownRows() const {
    if (table_.byDistance)
        return table_.all->rows();
    const int asked =
        page() == Page::Similarity ? std::min(positionsShown(), mostCompared) : positionsShown();
    return std::min(static_cast<std::size_t>(asked), table_.all->rows());
}

void PositionalEncodingView::showPage() {
    const bool any = hasFigure();
    showControls();
    stack_->setVisible(any);
    caption_->setVisible(any);
    caption_->setText(caption());
    stack_->setCurrentIndex(showsTurnedScore() ? static_cast<int>(Page::Curves) : pages_->currentIndex());
    keepHeights();
    update();
    if (any && showsRotation())
        showRotation();
    else if (any && isAnswered())
        showAnswer();
    else if (any)
        showTable();
    Q_EMIT questionChanged();
}

void PositionalEncodingView::showControls() {
    const bool curves = page() == Page::Curves;
    for (QWidget* control : {static_cast<QWidget*>(dimensionsLabel_), static_cast<QWidget*>(dimensionsEdit_)})
        control->setVisible(curves);
    if (!curves)
        notice_->hide();
    positions_->setVisible(!isAnswered() && !showsRotation() && !table_.byDistance);
    offset_->setVisible(page() == Page::Shift);
    const bool judged = page() == Page::Shift && hasFigure();
    result_->setVisible(judged);
    if (judged)
        result_->setText(rSquaredText(answer()->shift, answer()->fittedShift));
}

void PositionalEncodingView::showTable() {
    const trace::Matrix shown = firstRows(*table_.all, shownRows());
    std::vector<int> marked;
    for (const auto row : table_.rows)
        if (row)
            marked.push_back(*row);
    if (page() == Page::Curves)
        curves_->show(table_, dimensions_, static_cast<int>(shownRows()));
    else if (page() == Page::Table)
        showVectors(shown, marked);
    else
        showSimilarity(shown, marked);
    followFocus();
}

void PositionalEncodingView::showVectors(const trace::Matrix& shown, const std::vector<int>& marked) {
    const auto describe = [all = table_.all, first = table_.first,
                           byDistance = table_.byDistance](MapCell cell) {
        const QString value =
            numberText((*all)(static_cast<std::size_t>(cell.row), static_cast<std::size_t>(cell.column)));
        const QString words =
            byDistance ? tr("distance %1, head %2: %3") : tr("position %1, dimension %2: %3");
        return words.arg(first + cell.row).arg(cell.column).arg(value);
    };
    map_->setMatrix(shown, largestMagnitude(shown), describe, {.row = table_.first, .column = 0});
    map_->setMarkedRows(marked, false);
}

void PositionalEncodingView::showSimilarity(const trace::Matrix& shown, const std::vector<int>& marked) {
    const auto cosines = analysis::cosineSimilarity(trace::view(shown), shown.rows());
    similarity_->setMatrix(cosines, 1, [cosines](MapCell cell) {
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        return tr("positions %1 and %2: cosine %3")
            .arg(row)
            .arg(column)
            .arg(numberText(cosines(row, column)));
    });
    similarity_->setMarkedRows(marked, true);
}

std::optional<PositionQuestion> PositionalEncodingView::wanted() const {
    if (!run_ || !isAnswered())
        return std::nullopt;
    if (page() == Page::Words || page() == Page::Scores) {
        const auto head = scoredHead();
        const bool scores = page() == Page::Scores;
        if (showsTurnedScore())
            return run_->complete && head
                       ? std::optional(PositionQuestion{.about = About::Rotation, .run = run_})
                       : std::nullopt;
        const QString why = scores ? whyNoTerms(*run_, side()) : whyNoShares(*run_, side());
        if (!why.isEmpty() || (scores && !head))
            return std::nullopt;
        return page() == Page::Words
                   ? PositionQuestion{.about = About::Words, .run = run_}
                   : PositionQuestion{.about = About::Scores, .run = run_, .site = head->site};
    }
    if (!table_.all || table_.all->empty() || table_.byDistance)
        return std::nullopt;
    if (page() == Page::Shift)
        return PositionQuestion{.about = About::Shift, .table = table_.all, .offset = offset()};
    return PositionQuestion{.about = About::Wavelengths, .table = table_.all};
}

std::optional<PositionQuestion> PositionalEncodingView::question() const {
    const auto asks = wanted();
    return isVisible() && (!answer_ || answer_->question != asks) ? asks : std::nullopt;
}

/// Nothing blinks: what is known stays while the next offset or sentence is on its way.
const PositionAnswer* PositionalEncodingView::answer() const {
    const auto asks = wanted();
    const bool fits = asks && answer_ && answer_->question.about == asks->about &&
                      answer_->question.table == asks->table && answer_->question.site == asks->site &&
                      (!asks->run || answer_->question.run->model == asks->run->model);
    return fits ? &*answer_ : nullptr;
}

const TokenShares& PositionalEncodingView::sharesOf(const PositionAnswer& answer) const {
    return side() == PositionSide::Source ? answer.source : answer.target;
}

void PositionalEncodingView::setAnswer(PositionAnswer answer) {
    answer_ = std::move(answer);
    showPage();
}

void PositionalEncodingView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT questionChanged();
}

void PositionalEncodingView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT questionChanged();
}

void PositionalEncodingView::showAnswer() {
    if (page() == Page::Wavelengths)
        showWavelengths();
    else if (page() == Page::Shift)
        shift_->setShift(answer()->shift, answer()->fittedShift);
    else if (showsTurnedScore())
        showTurnedScore();
    else if (page() == Page::Words)
        words_->setShares(sharesOf(*answer()));
    else
        scores_->setAnswer(*answer(), *scoredHead());
}

std::optional<trace::HeadAddress> PositionalEncodingView::scoredHead() const {
    const auto kind = side() == PositionSide::Source ? trace::AttentionKind::EncoderSelf
                                                     : trace::AttentionKind::DecoderSelf;
    return run_ ? nearestExactHead(*run_->model, kind, selection_->head()) : std::nullopt;
}

void PositionalEncodingView::showWavelengths() {
    const auto& measured = answer()->wavelengths;
    PointRow row{.name = tr("wavelength"), .values = {}, .hollow = {}};
    for (const auto& wave : measured.dimensions) {
        row.values.push_back(wave ? wave->positions : 0);
        row.hollow.push_back(wave && wave->share < 0.5);
    }
    wavelengths_->setPicture(std::make_shared<PointsPicture>(
        Points{.rows = {std::move(row)},
               .xTitle = tr("dimension"),
               .yTitle = tr("wavelength in positions"),
               .describe = [measured](MapCell mark) { return wavelengthInWords(measured, mark.column); }}));
}

bool PositionalEncodingView::showsRotation() const {
    return page() == Page::Wavelengths && model() && !model()->rotation.empty();
}

void PositionalEncodingView::showRotation() {
    const auto& rotation = model()->rotation;
    PointRow row{.name = tr("wavelength"), .values = {}, .hollow = {}};
    for (const double radians : rotation)
        row.values.push_back(2 * std::numbers::pi / radians);
    wavelengths_->setPicture(std::make_shared<PointsPicture>(
        Points{.rows = {std::move(row)},
               .xTitle = tr("pair of dimensions"),
               .yTitle = tr("wavelength in places"),
               .describe = [rotation](MapCell mark) { return rotationInWords(rotation, mark.column); }}));
}

} // namespace headscope::widgets

#include "widgets/views/positions/positional_encoding_view.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/positions/positional_geometry.h"
#include "model/analysis/positions/rotation_curve.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "model/trace/refusal.h"
#include "widgets/controls/card_columns.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/shown_number.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"
#include "widgets/views/positions/dimension_pills.h"
#include "widgets/views/positions/position_curves.h"
#include "widgets/views/positions/position_words.h"
#include "widgets/views/positions/score_terms_page.h"
#include "widgets/views/positions/shift_page.h"
#include "widgets/views/positions/word_position_page.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::widgets {

namespace {

QString joined(const std::vector<int>& numbers) {
    QStringList words;
    for (const int number : numbers)
        words += QString::number(number);
    return words.join(QStringLiteral(", "));
}

/// A stack that needs no more room than the page that is seen.
class LeastStack : public QStackedWidget {
  public:
    using QStackedWidget::QStackedWidget;
    QSize minimumSizeHint() const override { return currentWidget()->minimumSizeHint(); }
    QSize sizeHint() const override { return minimumSizeHint(); }
};

/// In pixels, of 1360.
constexpr int leftColumn = 652, rightColumn = 698;

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

PositionalEncodingView::PositionalEncodingView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), bar_(new QWidget(this)), line_(wrappedLabel(bar_)),
      sides_(new Segments(tr("Side of the model"), {tr("Source"), tr("Target")}, bar_)),
      cards_(new CardColumns(leftColumn, rightColumn, this)),
      addedHead_(new CardHead(tr("What is added"), QString(), this)),
      turnsHead_(new CardHead(tr("How it turns"), QString(), this)),
      addedPages_(new Segments(tr("What is added"), {tr("Curves"), tr("Table"), tr("Similarity")}, this)),
      turnsPages_(new Segments(tr("How it turns"), {tr("Wavelengths"), tr("Shift")}, this)),
      nearestLabel_(new QLabel(tr("nearest to"), this)), nearest_(new QLineEdit(this)),
      found_(new QLabel(this)), pills_(new DimensionPills(this)), positions_(new QSpinBox(this)),
      offset_(new QSpinBox(this)), result_(new QLabel(this)), notice_(new QLabel(this)),
      curves_(new PositionCurves(this)), map_(new NumberMap(tr("Positional vectors"), this)),
      similarity_(new NumberMap(tr("Similarity of positions"), this)),
      wavelengths_(new ReadablePlot(tr("Wavelengths of dimensions"), this)), shift_(new ShiftPage(this)),
      words_(new WordPositionPage(this)), scores_(new ScoreTermsPage(selection, this)) {
    setAccessibleName(tr("Positions"));
    buildBar();
    buildControls();
    cards_->add(0, addedCard(), 21, 17);
    turnsFrame_ = cards_->add(0, turnsCard(), 19, 14);
    headsFrame_ = cards_->add(1, headsCard(), 1, 30);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(bar_);
    column->addWidget(cards_, 1);
    connect(cards_, &CardColumns::entered, this, &PositionalEncodingView::enter);
    connectSelection();
    tableChanged();
}

void PositionalEncodingView::buildBar() {
    static_cast<WrappedLabel*>(line_)->setLines(1);
    line_->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(space::xs, 0, 0, 0);
    row->addWidget(line_, 1);
    row->addWidget(sides_);
    connect(sides_, &Segments::currentChanged, this, &PositionalEncodingView::tableChanged);
}

void PositionalEncodingView::buildControls() {
    positions_->setRange(2, 4096);
    positions_->setValue(100);
    positions_->setKeyboardTracking(false);
    positions_->setAccessibleName(tr("Number of positions shown"));
    positions_->setSuffix(tr(" positions"));
    offset_->setRange(1, static_cast<int>(analysis::mostShiftedPositions) - 1);
    offset_->setPrefix(tr("k = "));
    offset_->setKeyboardTracking(false);
    offset_->setAccessibleName(tr("Shift in positions"));
    offset_->setToolTip(tr("Distance of the later position"));
    result_->setTextFormat(Qt::PlainText);
    notice_->setTextFormat(Qt::PlainText);
    notice_->hide();
    nearestLabel_->setBuddy(nearest_);
    nearest_->setAccessibleName(tr("Wavelength to look for, in positions"));
    nearest_->setToolTip(tr("Number of positions; finds the dimensions that repeat after about that many"));
    nearest_->setPlaceholderText(QStringLiteral("60"));
    nearest_->setMaxLength(9);
    nearest_->setFixedWidth(9 * nearest_->fontMetrics().averageCharWidth());
    found_->setTextFormat(Qt::PlainText);
    connect(positions_, &QSpinBox::valueChanged, this, &PositionalEncodingView::showAdded);
    connect(offset_, &QSpinBox::valueChanged, this, [this] {
        showTurns();
        Q_EMIT questionsChanged();
    });
    connect(pills_, &DimensionPills::reduced, this, &PositionalEncodingView::setDimensions);
    connect(pills_, &DimensionPills::typed, this, [this](const QString& numbers) {
        numbers.isEmpty() ? notice_->hide() : (void)chooseDimensions(joined(dimensions_) + ',' + numbers);
    });
    connect(curves_, &PositionCurves::valuesMarked, pills_, &DimensionPills::setValues);
    connect(nearest_, &QLineEdit::textEdited, this, &PositionalEncodingView::showTurns);
    connect(addedPages_, &Segments::currentChanged, this,
            [this](int index) { setPage(static_cast<Page>(Page::Curves + index)); });
    connect(turnsPages_, &Segments::currentChanged, this,
            [this](int index) { setPage(static_cast<Page>(Page::Wavelengths + index)); });
}

PositionalEncodingView::Place PositionalEncodingView::newPlace(const std::vector<QWidget*>& pages) {
    Place place{.pages = new LeastStack(this), .missing = wrappedLabel(this)};
    for (QWidget* page : pages)
        place.pages->addWidget(page);
    place.missing->setAlignment(Qt::AlignCenter);
    place.pages->addWidget(place.missing);
    return place;
}

QWidget* PositionalEncodingView::addedCard() {
    auto* card = new QWidget(this);
    addedHead_->add(positions_);
    addedHead_->add(addedPages_);
    added_ = newPlace({curves_, map_, similarity_});
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(addedHead_);
    column->addWidget(pills_);
    column->addWidget(notice_);
    column->addWidget(added_.pages, 1);
    return card;
}

QWidget* PositionalEncodingView::turnsCard() {
    auto* card = new QWidget(this);
    for (QWidget* control :
         std::initializer_list<QWidget*>{nearestLabel_, nearest_, found_, result_, offset_, turnsPages_})
        turnsHead_->add(control);
    turns_ = newPlace({wavelengths_, new TallArea(shift_, this)});
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(turnsHead_);
    column->addWidget(turns_.pages, 1);
    return card;
}

QWidget* PositionalEncodingView::headsCard() {
    auto* card = new QWidget(this);
    auto* forms = new Segments(tr("How heads use positions"), {tr("Maps"), tr("Numbers")}, this);
    scores_->cardHead()->add(forms);
    heads_ = newPlace({scores_});
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scores_->cardHead());
    column->addWidget(heads_.pages, 7);
    column->addWidget(words_, 2);
    connect(forms, &Segments::currentChanged, this, [this](int index) {
        scores_->setNumbersShown(index == 1);
        words_->setNumbersShown(index == 1);
    });
    return card;
}

/// What has the keys is what a figure shows.
void PositionalEncodingView::enter(const QWidget* widget) {
    const auto isIn = [widget](const QWidget* part) { return part == widget || part->isAncestorOf(widget); };
    page_ = isIn(words_)        ? Page::Words
            : isIn(headsFrame_) ? Page::Scores
            : isIn(turnsFrame_) ? turnsPage()
                                : addedPage();
}

void PositionalEncodingView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    tableChanged();
}

PositionSide PositionalEncodingView::side() const {
    const bool isDecoderAlone = run_ && run_->model && run_->model->isDecoderAlone();
    return sides_->currentIndex() == 0 && !isDecoderAlone ? PositionSide::Source : PositionSide::Target;
}

int PositionalEncodingView::positionsShown() const {
    return positions_->value();
}

int PositionalEncodingView::offset() const {
    return offset_->value();
}

void PositionalEncodingView::setPage(Page page) {
    page_ = page;
    const bool isAdded = page <= Page::Similarity;
    if (page > Page::Shift)
        return followHead();
    Segments* segments = isAdded ? addedPages_ : turnsPages_;
    const int index = page - (isAdded ? Page::Curves : Page::Wavelengths);
    if (segments->currentIndex() != index)
        return segments->setCurrentIndex(index); // which comes back
    showCards();
}

PositionalEncodingView::Page PositionalEncodingView::addedPage() const {
    return rotates() ? Page::Scores : static_cast<Page>(addedPages_->currentIndex());
}

PositionalEncodingView::Page PositionalEncodingView::turnsPage() const {
    return rotates() ? Page::Wavelengths : static_cast<Page>(Page::Wavelengths + turnsPages_->currentIndex());
}

bool PositionalEncodingView::hasTurns() const {
    return rotates() || (table_.all && !table_.byDistance);
}

bool PositionalEncodingView::hasHeads() const {
    return run_ && !rotates() && (table_.all || whyNoTerms(*run_, side()).isEmpty());
}

bool PositionalEncodingView::hasWords() const {
    return hasHeads() && !table_.byDistance && whyNoShares(*run_, side()).isEmpty();
}

std::vector<PositionalEncodingView::Page> PositionalEncodingView::pagesInSight() const {
    if (isPicture_)
        return {page()};
    std::vector<Page> pages{addedPage()};
    if (hasTurns())
        pages.push_back(turnsPage());
    if (hasHeads())
        pages.push_back(Page::Scores);
    if (hasWords())
        pages.push_back(Page::Words);
    return pages;
}

void PositionalEncodingView::setSide(PositionSide side) {
    sides_->setCurrentIndex(static_cast<int>(side));
}

void PositionalEncodingView::setPositionsShown(int count) {
    positions_->setValue(count);
}

void PositionalEncodingView::setOffset(int offset) {
    offset_->setValue(offset);
}

void PositionalEncodingView::setSpaceMarksShown(bool shown) {
    words_->setSpaceMarksShown(shown);
    scores_->setSpaceMarksShown(shown);
}

bool PositionalEncodingView::setDimensions(const std::vector<int>& dimensions) {
    return chooseDimensions(joined(dimensions));
}

bool PositionalEncodingView::chooseDimensions(const QString& numbers) {
    const int width = dimensionCount();
    const auto dimensions = parseDimensions(numbers, width, PositionCurves::mostCurves);
    notice_->setVisible(!dimensions && width > 0);
    notice_->setText((table_.byDistance
                          ? tr("Enter heads from 0 to %1, separated by commas, such as 0,2 or 1-3.")
                          : tr("Enter dimensions from 0 to %1, separated by commas, such as 4,5,6 or 0-3."))
                         .arg(width - 1));
    if (!dimensions)
        return false;
    dimensions_ = *dimensions;
    hasOwnDimensions_ = true;
    showDimensions();
    showAdded();
    showTurns(); // marks them
    return true;
}

void PositionalEncodingView::showDimensions() {
    pills_->setDimensions(dimensions_, dimensionCount(), table_.byDistance);
}

/// Takes some milliseconds, once per model: not before somebody looks.
const PositionalEncodingView::Measured& PositionalEncodingView::measured() const {
    if (measured_.table != table_.all) {
        const auto table = trace::view(*table_.all);
        measured_ = {.table = table_.all,
                     .origin = analysis::positionOrigin(table),
                     .jump = analysis::lengthJump(table)};
    }
    return measured_;
}

void PositionalEncodingView::tableChanged() {
    const bool wasByDistance = table_.byDistance;
    table_ = run_ ? positionTable(*run_, side()) : PositionTable();
    if (table_.all) {
        const auto before = dimensions_;
        if (table_.byDistance != wasByDistance) // columns are now heads, or no longer
            hasOwnDimensions_ = false;
        if (!hasOwnDimensions_)
            dimensions_ = usualColumns(table_);
        const QSignalBlocker quiet(positions_);
        const QSignalBlocker quietToo(offset_);
        positions_->setMaximum(std::max(2, static_cast<int>(table_.all->rows())));
        offset_->setMaximum(std::clamp(static_cast<int>(table_.all->rows()) - 1, 1,
                                       static_cast<int>(analysis::mostShiftedPositions) - 1));
        const int width = table_.all->columns();
        std::erase_if(dimensions_, [&](int dimension) { return dimension >= width; });
        if (dimensions_.empty())
            dimensions_ = usualColumns(table_);
        if (dimensions_ != before || table_.byDistance || wasByDistance)
            showDimensions();
    }
    showCards();
}

std::size_t PositionalEncodingView::shownRows(Page page) const {
    if (table_.byDistance)
        return table_.all->rows();
    const int asked = page == Page::Similarity ? std::min(positionsShown(), mostCompared) : positionsShown();
    return std::min(static_cast<std::size_t>(asked), table_.all->rows());
}

void PositionalEncodingView::showCards() {
    showBar();
    cards_->setShown(turnsFrame_, hasTurns());
    cards_->setShown(headsFrame_, hasHeads());
    showAdded();
    if (hasTurns())
        showTurns();
    if (hasHeads())
        showHeads();
    Q_EMIT questionsChanged();
}

/// What the model has on one side alone is that side's.
void PositionalEncodingView::showBar() {
    const bool both = model() && model()->encoderLayers > 0 && model()->decoderLayers > 0;
    sides_->setShown({both, both});
    if (!isVisible())
        return;
    const auto* origin = table_.all && !table_.byDistance ? &measured().origin : nullptr;
    line_->setText(model() ? positionsInShort(*model(), origin, side()) : QString());
}

bool PositionalEncodingView::showIn(const Place& place, QWidget* shown, Page page) {
    const bool any = hasFigure(page);
    while (any && shown->parentWidget() != place.pages) // it may stand in an area that scrolls
        shown = shown->parentWidget();
    place.pages->setCurrentWidget(any ? shown : place.missing);
    place.missing->setText(any ? QString() : caption(page));
    place.pages->updateGeometry();
    return any;
}

void PositionalEncodingView::showAdded() {
    const Page page = addedPage();
    const bool any = showIn(added_,
                            page == Page::Table        ? static_cast<QWidget*>(map_)
                            : page == Page::Similarity ? similarity_
                                                       : static_cast<QWidget*>(curves_),
                            page);
    const bool isTable = table_.all && !rotates();
    pills_->setVisible(isTable && page == Page::Curves);
    if (page != Page::Curves)
        notice_->hide();
    positions_->setVisible(isTable && !table_.byDistance);
    addedPages_->setShown({isTable, isTable, isTable && !table_.byDistance});
    addedHead_->setSubtitle(rotates() ? tr("nothing: queries and keys are rotated by position") : QString());
    addedHead_->setHelp(any && isVisible() ? caption(page) : QString());
    if (any && showsTurnedScore(page))
        showTurnedScore();
    else if (any)
        showTable(page);
}

void PositionalEncodingView::showTurns() {
    const Page page = turnsPage();
    const bool isShift = page == Page::Shift;
    const bool any = showIn(turns_, isShift ? static_cast<QWidget*>(shift_) : wavelengths_, page);
    turnsHead_->setSubtitle(isShift ? tr("shift") : tr("wavelength"));
    turnsPages_->setShown({true, !rotates()});
    offset_->setVisible(isShift);
    result_->setVisible(isShift && any);
    for (QWidget* part : std::initializer_list<QWidget*>{nearestLabel_, nearest_})
        part->setVisible(!isShift);
    found_->hide();
    turnsHead_->setHelp(any ? caption(page) : QString());
    if (!any)
        return;
    if (!isShift)
        return showWavelengths();
    const auto& known = *answer(page);
    result_->setText(rSquaredText(known.shift, known.fittedShift));
    result_->setToolTip(result_->text());
    shift_->setShift(known.shift, known.fittedShift);
    followFocus();
}

void PositionalEncodingView::showHeads() {
    const bool any = showIn(heads_, scores_, Page::Scores);
    words_->setVisible(hasWords());
    if (any)
        scores_->setAnswer(*answer(Page::Scores), *scoredHead());
    scores_->cardHead()->setHelp(headsHelp());
    const bool hasShares = hasWords() && hasFigure(Page::Words);
    words_->setShares(hasShares ? sharesOf(*answer(Page::Words)) : TokenShares());
    words_->cardHead()->setHelp(hasWords() ? caption(Page::Words) : QString());
    followFocus();
}

QString PositionalEncodingView::headsHelp() const {
    if (!hasHeads() || !hasFigure(Page::Scores))
        return {};
    return caption(Page::Scores) + QChar(' ') + sharesBeyondInWords();
}

void PositionalEncodingView::showTable(Page page) {
    const trace::Matrix shown = firstRows(*table_.all, shownRows(page));
    std::vector<int> marked;
    for (const auto row : table_.rows)
        if (row)
            marked.push_back(*row);
    if (page == Page::Curves) {
        const auto& tokens = side() == PositionSide::Source ? run_->source : run_->target;
        std::vector<QString> names(table_.all->rows());
        for (std::size_t token = 0; token < std::min(tokens.size(), table_.rows.size()); ++token)
            if (const auto row = table_.rows[token])
                names[*row] = tokenLabel(tokens, token).text;
        curves_->show(table_, dimensions_, shownRows(page), std::move(names));
    } else if (page == Page::Table)
        showVectors(shown, marked);
    else
        showSimilarity(shown, marked);
    followFocus();
}

void PositionalEncodingView::showVectors(const trace::Matrix& shown, const std::vector<int>& marked) {
    const auto describe = [all = table_.all, first = table_.first,
                           byDistance = table_.byDistance](MapCell cell) {
        const QString value = numberText((*all)(cell.row, cell.column));
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
        const std::size_t row = cell.row;
        const std::size_t column = cell.column;
        return tr("positions %1 and %2: cosine %3")
            .arg(row)
            .arg(column)
            .arg(numberText(cosines(row, column)));
    });
    similarity_->setMarkedRows(marked, true);
}

std::optional<PositionQuestion> PositionalEncodingView::question(Page page) const {
    if (!run_ || !isAnswered(page))
        return std::nullopt;
    if (page == Page::Words || page == Page::Scores) {
        const auto head = scoredHead();
        const bool scores = page == Page::Scores;
        if (showsTurnedScore(page))
            return run_->complete && head
                       ? std::optional(PositionQuestion{.about = About::Rotation, .run = run_})
                       : std::nullopt;
        const QString why = scores ? whyNoTerms(*run_, side()) : whyNoShares(*run_, side());
        if (!why.isEmpty() || (scores && !head))
            return std::nullopt;
        return page == Page::Words
                   ? PositionQuestion{.about = About::Words, .run = run_}
                   : PositionQuestion{.about = About::Scores, .run = run_, .site = head->site};
    }
    if (!table_.all || table_.all->empty() || table_.byDistance)
        return std::nullopt;
    if (page == Page::Shift)
        return PositionQuestion{.about = About::Shift, .table = table_.all, .offset = offset()};
    return PositionQuestion{.about = About::Wavelengths, .table = table_.all};
}

std::vector<trace::Wanted> PositionalEncodingView::questions() const {
    std::vector<trace::Wanted> questions;
    const auto pages = pagesInSight();
    for (const Page page : pages)
        if (const auto asks = question(page))
            questions.push_back(wanted(*asks));
    if (std::ranges::find(pages, Page::Scores) != pages.end())
        if (const auto terms = scores_->preparing())
            questions.emplace_back(trace::Counted(*terms));
    return questions;
}

void PositionalEncodingView::refresh() {
    bool isChanged = false;
    for (const Page page : pagesInSight()) {
        const auto asks = question(page);
        if (!asks)
            continue;
        const auto answer = answerOf(*context().known, *asks);
        const QString why = refusal(page);
        auto& known = answers_[asks->about];
        if ((!answer || answer == known) && why == saidRefusals_[page])
            continue;
        known = answer ? answer : known;
        saidRefusals_[page] = why;
        isChanged = true;
        if (page == addedPage())
            showAdded();
        else if (page == turnsPage())
            showTurns();
        else
            showHeads();
    }
    scores_->refresh(*context().known);
    if (isChanged)
        Q_EMIT questionsChanged();
}

QString PositionalEncodingView::refusal(Page page) const {
    const auto asks = question(page);
    return asks ? inWords(context().known->refusalOf(wanted(*asks))) : QString();
}

/// Keeps the answer to the previous question until the next one arrives, so that nothing flickers.
const PositionAnswer* PositionalEncodingView::answer(Page page) const {
    const auto asks = question(page);
    const auto found = asks ? answers_.find(asks->about) : answers_.end();
    if (found == answers_.end() || !found->second)
        return nullptr;
    const auto& known = found->second->question;
    const bool fits = known.table == asks->table && known.site == asks->site &&
                      (!asks->run || known.run->model == asks->run->model);
    return fits ? found->second.get() : nullptr;
}

const TokenShares& PositionalEncodingView::sharesOf(const PositionAnswer& answer) const {
    return side() == PositionSide::Source ? answer.source : answer.target;
}

std::optional<trace::HeadAddress> PositionalEncodingView::scoredHead() const {
    const auto kind = side() == PositionSide::Source ? trace::AttentionKind::EncoderSelf
                                                     : trace::AttentionKind::DecoderSelf;
    return run_ ? nearestExactHead(*run_->model, kind, selection_->head()) : std::nullopt;
}

std::vector<double> PositionalEncodingView::wavelengthsShown() const {
    std::vector<double> lengths;
    if (rotates())
        for (const double radians : model()->rotation)
            lengths.push_back(2 * std::numbers::pi / radians);
    else if (const auto* known = answer(Page::Wavelengths))
        for (const auto& wave : known->wavelengths.dimensions)
            lengths.push_back(wave ? wave->positions : 0);
    return lengths;
}

Plot PositionalEncodingView::wavelengthPlot() const {
    PositionMarks row{.name = tr("wavelength"), .values = wavelengthsShown()};
    row.hollow.resize(row.values.size());
    if (rotates()) {
        Plot plot = marksPlot({row}, tr("pair of dimensions"), tr("wavelength in positions"));
        plot.words = [rotation = model()->rotation, interleaved = model()->rotatesInterleaved()](
                         MapCell mark) { return rotationInWords(rotation, interleaved, mark.column); };
        return plot;
    }
    const auto& measured = answer(Page::Wavelengths)->wavelengths;
    for (std::size_t i = 0; i < row.hollow.size(); ++i)
        row.hollow[i] = measured.dimensions[i] && measured.dimensions[i]->share < 0.5;
    Plot plot = marksPlot({row}, tr("dimension"), tr("wavelength in positions"));
    plot.words = [measured](MapCell mark) { return wavelengthInWords(measured, mark.column); };
    return plot;
}

/// With the dimensions whose curves are drawn, the length of the sentence, and what was looked for.
void PositionalEncodingView::showWavelengths() {
    Plot plot = wavelengthPlot();
    const auto lengths = wavelengthsShown();
    for (std::size_t curve = 0; curve < dimensions_.size() && !rotates(); ++curve) {
        const int ink = curve % PositionCurves::mostCurves;
        const std::size_t dimension = dimensions_[curve];
        if (dimension < lengths.size() && lengths[dimension] > 0)
            plot.series.push_back({.points = {{static_cast<double>(dimension), lengths[dimension]}},
                                   .ink = ink,
                                   .line = 0,
                                   .mark = PlotMark::Disc,
                                   .radius = 6});
    }
    const auto tokens = side() == PositionSide::Source ? run_->source.size() : run_->target.size();
    if (tokens > 1)
        plot.lines.push_back({.at = static_cast<double>(tokens),
                              .orientation = Qt::Horizontal,
                              .ink = &Theme::accent,
                              .dash = Qt::DashLine,
                              .words = tr("length of this sentence, %1").arg(tokens),
                              .atEnd = true});
    showNearest(plot, lengths);
    wavelengths_->setPicture(std::make_shared<DrawnPlot>(std::move(plot)));
}

void PositionalEncodingView::showNearest(Plot& plot, const std::vector<double>& lengths) {
    const auto nearest = nearestWavelengths(lengths, nearest_->text());
    found_->setVisible(!nearest.empty());
    if (nearest.empty())
        return;
    found_->setText(tr("%1 (%2)").arg(joined(nearest), QString::number(lengths[nearest.front()], 'f', 1)));
    plot.series.push_back({.points = {{static_cast<double>(nearest.front()), lengths[nearest.front()]}},
                           .ink = &Theme::focus,
                           .line = 0,
                           .mark = PlotMark::Disc,
                           .radius = 7,
                           .hollow = true});
    plot.lines.push_back(
        {.at = static_cast<double>(nearest.front()), .ink = &Theme::focus, .dash = Qt::DotLine});
    plot.lines.push_back({.at = lengths[nearest.front()],
                          .orientation = Qt::Horizontal,
                          .ink = &Theme::focus,
                          .dash = Qt::DotLine});
}

/// The highlighted cell, else the allowed key with the highest score in the current row.
std::optional<MapCell> PositionalEncodingView::turnedCell() const {
    const auto head = scoredHead();
    const auto* record = head ? run_->record(head->site) : nullptr;
    if (!record || record->queries() == 0 || placesChanged(*run_) || analysis::lacksScores(*record))
        return std::nullopt;
    const auto within = [&](std::optional<trace::TokenIndex> index) {
        return index && *index < record->queries() ? index : std::nullopt;
    };
    const bool source = side() == PositionSide::Source;
    const auto& focus = selection_->focus();
    const auto usual = source ? trace::TokenIndex() : within(selection_->step()).value_or(0);
    const int row = within(focus.query(head->site.kind)).value_or(usual);
    const std::optional<int> key = within(focus.key(head->site.kind));
    if (key)
        return MapCell{row, *key};
    const auto scores = analysis::headRow(*record, head->head, row);
    return MapCell{row, static_cast<int>(analysis::hardKey(scores.scores, scores.open).value_or(0))};
}

void PositionalEncodingView::showTurnedScore() {
    const auto cell = turnedCell();
    const auto* known = answer(Page::Scores);
    if (!cell || !known || !known->projected || known->question.run != run_)
        return; // keep the picture and its caption until the new answer arrives
    const auto curve =
        analysis::rotationCurve(*known->projected, *scoredHead(), cell->row, cell->column, turnedReach);
    if (curve.values.empty())
        return;
    trace::Matrix values(curve.values.size(), 1);
    std::ranges::transform(curve.values, values.values().begin(),
                           [](double value) { return static_cast<float>(value); });
    PositionTable shown{.all = std::make_shared<const trace::Matrix>(std::move(values)),
                        .byDistance = true,
                        .isScore = true,
                        .first = curve.first,
                        .added = trace::Matrix(1, 1, static_cast<float>(curve.score)),
                        .rows = {}};
    shown.rows.push_back(std::abs(curve.own) <= turnedReach ? std::optional(curve.own - curve.first)
                                                            : std::nullopt);
    curves_->show(shown, {0}, curve.values.size());
    addedHead_->setHelp(turnedScoreCaption());
}

QString PositionalEncodingView::turnedScoreCaption() const {
    const auto cell = turnedCell();
    const auto head = scoredHead();
    if (!cell || !head)
        return {};
    const auto kind = head->site.kind;
    const auto* record = run_->record(head->site);
    const float score = analysis::headRow(*record, head->head, cell->row).scores.at(cell->column);
    return tr("%1: the score of query %2 and key %3 at other distances (key position \u2212 query position). "
              "Both are rotated by position, so the score is not a sum of content and position; each pair of "
              "dimensions adds |q||k| cos(angle \u2212 distance \u00B7 frequency). Dot: the actual distance "
              "%4 with the model's own score %5.")
        .arg(ofModel(*model(), headTitle(*model(), *head)), queryInWords(*run_, kind, cell->row),
             keyInWords(*run_, kind, cell->column), shownNumber(QString::number(cell->column - cell->row)),
             numberText(score));
}

void PositionalEncodingView::connectSelection() {
    const auto focusOf = [this](std::optional<int> query, std::optional<int> key) {
        return tokenFocus(query, key, table_, side());
    };
    connect(curves_, &PositionCurves::positionHovered, this,
            [=, this](std::optional<int> position) { selection_->setHover(focusOf(position, position)); });
    connect(map_, &NumberMap::cursorMoved, this, [=, this](std::optional<MapCell> cell) {
        selection_->setHover(cell ? focusOf(cell->row, cell->row) : TokenFocus());
    });
    connect(similarity_, &NumberMap::cursorMoved, this, [=, this](std::optional<MapCell> cell) {
        selection_->setHover(cell ? focusOf(cell->row, cell->column) : TokenFocus());
    });
    const auto pin = [this](const TokenFocus& focus) {
        if (!focus.isEmpty())
            selection_->togglePinned(focus);
    };
    connect(curves_, &PositionCurves::positionClicked, this,
            [=](int position) { pin(focusOf(position, position)); });
    connect(map_, &NumberMap::cellClicked, this, [=](MapCell cell) { pin(focusOf(cell.row, cell.row)); });
    connect(similarity_, &NumberMap::cellClicked, this,
            [=](MapCell cell) { pin(focusOf(cell.row, cell.column)); });
    connect(selection_, &Selection::focusChanged, this, &PositionalEncodingView::followFocus);
    connect(selection_, &Selection::stepChanged, this, &PositionalEncodingView::followFocus);
    connect(selection_, &Selection::headChanged, this, &PositionalEncodingView::followHead);
    connectPlots();
}

void PositionalEncodingView::connectPlots() {
    for (const NumberMap* map : {map_, similarity_})
        connect(map, &NumberMap::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(wavelengths_, &ReadablePlot::markDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(shift_, &ShiftPage::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(words_, &WordPositionPage::tokenDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(scores_, &ScoreTermsPage::cellDescribed, this, &PositionalEncodingView::cellDescribed);
    connect(scores_, &ScoreTermsPage::questionsChanged, this, &View::questionsChanged);
    connect(scores_, &ScoreTermsPage::captionChanged, this,
            [this] { scores_->cardHead()->setHelp(headsHelp()); });
    connect(shift_, &ShiftPage::positionHovered, this, [this](std::optional<int> position) {
        selection_->setHover(tokenFocus(position, position, table_, side()));
    });
    connect(words_, &WordPositionPage::cursorMoved, this, [this](std::optional<int> token) {
        const bool source = side() == PositionSide::Source;
        selection_->setHover(source ? TokenFocus{.sourceQuery = token, .sourceKey = token}
                                    : TokenFocus{.targetQuery = token, .targetKey = token});
    });
    connect(words_, &WordPositionPage::tokenClicked, this, [this](int token) {
        const bool source = side() == PositionSide::Source;
        selection_->togglePinned(source ? TokenFocus{.sourceQuery = token, .sourceKey = token}
                                        : TokenFocus{.targetQuery = token, .targetKey = token});
    });
}

/// Switches to the side of the selected head if its scores can be split.
void PositionalEncodingView::followHead() {
    const auto head = selection_->head();
    if (run_ && nearestExactHead(*run_->model, head.site.kind, head) == head)
        setSide(head.site.kind == trace::AttentionKind::EncoderSelf ? PositionSide::Source
                                                                    : PositionSide::Target);
    showCards();
}

void PositionalEncodingView::followFocus() {
    const auto& focus = selection_->focus();
    if (showsTurnedScore(addedPage())) {
        if (hasFigure(Page::Scores))
            showTurnedScore();
        return;
    }
    const PositionFocus lit = positionFocus(focus, table_, side());
    words_->setLit(side() == PositionSide::Source ? focus.sourceKey : focus.targetQuery);
    shift_->setLit(lit.one);
    curves_->setLit(lit.one);
    map_->setLit(lit.one, std::nullopt);
    similarity_->setLit(lit.query, lit.key);
}

QString PositionalEncodingView::tableCaption(Page page) const {
    if (table_.byDistance)
        return distanceCaption(*model(), side(), page == Page::Table);
    const auto count = shownRows(page);
    const QString what = page == Page::Curves  ? dimensionsInWords(dimensions_, table_.all->columns())
                         : page == Page::Table ? tr("The vectors, positions down and dimensions across,")
                                               : tr("Cosine similarity of the vectors");
    const QString side = this->side() == PositionSide::Source ? tr("source") : tr("target");
    const QString which =
        model()->recorded
            ? tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions in the trace.")
            : tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions in the model.");
    QString words = which.arg(what, side).arg(count).arg(table_.all->rows());
    words += QChar(' ') + originInWords(*model(), measured().origin);
    if (measured().jump)
        words += QChar(' ') + jumpInWords(*measured().jump);
    if (page != Page::Curves)
        words += sharedPixelsInWords(Pooling::Extreme, count,
                                     page == Page::Table ? table_.all->columns()
                                                         : static_cast<std::size_t>(count));
    const auto found = std::ranges::count_if(table_.rows, [](const auto& row) { return row.has_value(); });
    if (found > 0)
        words += QChar(' ') + tr("Marked: the %1 positions of this sentence.").arg(found);
    return words;
}

QString PositionalEncodingView::whyNothing(Page page) const {
    if (!run_)
        return hintForNoRun(*this);
    if (showsTurnedScore(page)) {
        if (!run_->complete)
            return tr("The sentence is still being decoded.");
        if (!scoredHead() || !run_->record(scoredHead()->site))
            return tr("There is no target: nothing has been decoded.");
        if (analysis::lacksScores(*run_->record(scoredHead()->site)))
            return tr("This trace contains no scores of this head; headscope-cli trace records them as "
                      "%1/scores.")
                .arg(side() == PositionSide::Source ? "encoder_self" : "decoder_self");
        if (placesChanged(*run_))
            return tr(
                "A what-if has changed the positions: switch it off in What if to see scores by distance.");
    } else if (page == Page::Scores || page == Page::Words) {
        const QString why = page == Page::Scores ? whyNoTerms(*run_, side()) : whyNoShares(*run_, side());
        if (!why.isEmpty())
            return why;
    } else if (!table_.all || table_.byDistance) {
        return whyNoVectors(*model(), side());
    }
    if (const QString why = refusal(page); !why.isEmpty())
        return why;
    const PositionAnswer* known = answer(page);
    if (!known)
        return tr("Measuring...");
    return known->question.about == PositionQuestion::About::Shift
               ? shiftCaption(known->shift, known->fittedShift, side())
               : QString();
}

QString PositionalEncodingView::caption(Page page) const {
    if (!hasFigure(page))
        return whyNothing(page);
    if (showsTurnedScore(page))
        return turnedScoreCaption();
    const PositionAnswer* known = isAnswered(page) ? answer(page) : nullptr;
    if (known && page == Page::Scores)
        return scores_->caption();
    const QString words = showsRotation(page)         ? rotationCaption(*model())
                          : !known                    ? tableCaption(page)
                          : page == Page::Wavelengths ? wavelengthsCaption(known->wavelengths, side())
                          : page == Page::Shift       ? shiftCaption(known->shift, known->fittedShift, side())
                                                      : sharesCaption(sharesOf(*known), side());
    return withModel(*model(), words);
}

void PositionalEncodingView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    showCards();
}

void PositionalEncodingView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        nearest_->setFixedWidth(9 * fontMetrics().averageCharWidth());
}

std::optional<FigureBlocks> PositionalEncodingView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto filled = [](const auto* shown) {
        return FigureBlock{.size = shaped(plotShape),
                           .draw = [=](QPainter& painter, const QRectF& area, const Theme& theme) {
                               shown->draw(painter, area, theme);
                           }};
    };
    const auto picture = [&] {
        switch (page()) {
        case Page::Table:
        case Page::Similarity:
            return filled(page() == Page::Table ? map_ : similarity_);
        case Page::Wavelengths:
            return plotBlock(std::make_shared<DrawnPlot>(wavelengthPlot()), font());
        case Page::Shift:
            return shift_->block();
        case Page::Words:
            return words_->block(figureParts());
        case Page::Curves:
        case Page::Scores:
            break;
        }
        return page() == Page::Curves || showsTurnedScore(page()) ? filled(curves_) : scores_->block();
    };
    return FigureBlocks{.picture = picture(), .caption = figureCaption(), .font = font()};
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
    return isAll ? std::vector<double>() : map->zoomSides();
}

void PositionalEncodingView::setZoom(Page page, const std::vector<double>& zoom) {
    if (page == Page::Curves)
        return curves_->setZoom(zoom);
    NumberMap* map = page == Page::Table ? map_ : similarity_;
    map->setZoomSides(zoom);
}

std::optional<PositionalEncodingView::Page> PositionalEncodingView::zoomedPage() const {
    if (page() == Page::Curves || showsTurnedScore(page()))
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
    return tr("Visible: rows %1 to %2, columns %3 to %4.")
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
            .head = head ? address(*head) : QString(),
            .quantity = hasFigure() ? quantityInFigure() : QString()};
}

bool PositionalEncodingView::hasFigure(Page page) const {
    if (showsRotation(page))
        return true;
    if (!isAnswered(page))
        return table_.all && !table_.all->empty() && !(table_.byDistance && page == Page::Similarity);
    const PositionAnswer* known = answer(page);
    if (!known || !refusal(page).isEmpty())
        return false;
    if (showsTurnedScore(page))
        return known->projected && turnedCell();
    return page == Page::Wavelengths ? !known->wavelengths.dimensions.empty()
           : page == Page::Shift     ? !known->shift.error.empty()
           : page == Page::Words     ? !sharesOf(*known).shares.empty()
                                     : known->scores && !known->scores->scores.empty();
}

trace::FigureData PositionalEncodingView::figureData() const {
    if (!hasFigure())
        return {};
    if (showsRotation(page()))
        return {.arrays = {dataArray("wavelength", wavelengthsShown(), {.name = "pair"})}};
    if (isAnswered(page()))
        return answeredData(*answer(page()));
    const std::size_t rows = shownRows(page());
    const auto down = positionAxis(table_.byDistance ? "distance" : "position", table_.first, rows);
    if (page() == Page::Similarity) {
        const auto cosines = analysis::cosineSimilarity(trace::view(*table_.all), rows);
        return {.arrays = {dataArray("cosine", trace::view(cosines), nullptr, down, down)}};
    }
    std::vector<int> columns = dimensions_;
    if (page() == Page::Table) {
        columns.resize(table_.all->columns());
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i] = static_cast<int>(i);
    }
    std::erase_if(columns, [&](int column) {
        return column < 0 || static_cast<std::size_t>(column) >= table_.all->columns();
    });
    return {
        .arrays = {tableData(*table_.all, rows, columns, down, table_.byDistance ? "head" : "dimension")}};
}

trace::FigureData PositionalEncodingView::answeredData(const PositionAnswer& known) const {
    if (page() == Page::Wavelengths)
        return wavelengthData(known.wavelengths);
    if (page() == Page::Shift)
        return shiftData(known);
    if (page() == Page::Words)
        return shareData(sharesOf(known));
    if (!showsTurnedScore(page()))
        return termData(*known.scores, known.headShares, scoredHead()->head,
                        scores_->isCentred() ? scores_->shownTerms() : nullptr);
    const auto cell = turnedCell();
    const auto curve =
        analysis::rotationCurve(*known.projected, *scoredHead(), cell->row, cell->column, turnedReach);
    return {.arrays = {dataArray("score", curve.values,
                                 positionAxis("distance", curve.first, curve.values.size()))}};
}

std::optional<PictureOptions> PositionalEncodingView::picture(PictureOptions options) const {
    return ofView(std::move(options), "positions", pageName("positions", static_cast<int>(page())));
}

/// Only what the page shows.
bool PositionalEncodingView::exportChoices(PictureOptions& picture, const Choices&) const {
    if (page() != Page::Curves)
        picture.choices.erase("dimensions");
    if (page() > Page::Similarity)
        picture.choices.erase("count");
    if (page() != Page::Shift)
        picture.choices.erase("offset");
    return true;
}

void PositionalEncodingView::addChoices(ViewChoices& choices) {
    choices.addPage("positions", this);
    choices.addWord(
        "positions", "side", [this] { return static_cast<int>(side()); },
        [this](int side) { setSide(static_cast<PositionSide>(side)); });
    choices.add(
        "positions", "dimensions",
        [this] { return ChoiceValue(std::vector<std::int64_t>(dimensions().begin(), dimensions().end())); },
        [this](const ChoiceValue& value) {
            const auto& numbers = std::get<std::vector<std::int64_t>>(value);
            setDimensions({numbers.begin(), numbers.end()});
        });
    choices.addWhole(
        "positions", "count", [this] { return positionsShown(); },
        [this](int count) { setPositionsShown(count); });
    choices.addWhole(
        "positions", "offset", [this] { return offset(); }, [this](int offset) { setOffset(offset); });
    choices.add("positions", "centred", control<QCheckBox>(this, "centred"));
    for (const auto& [name, page] : zoomedPages)
        choices.add(
            "positions", name, [this, page] { return ChoiceValue(zoomOf(page)); },
            [this, page](const ChoiceValue& value) { setZoom(page, std::get<std::vector<double>>(value)); });
}

void PositionalEncodingView::showPicture(const PictureOptions& options) {
    isPicture_ = true;
    if (isChosen(options, "side", std::string("target")))
        setSide(PositionSide::Target);
    const auto chosen = chosenValue(options, "dimensions");
    if (!chosen || dimensionCount() == 0)
        return;
    const auto& numbers = std::get<std::vector<std::int64_t>>(*chosen);
    if (setDimensions({numbers.begin(), numbers.end()}))
        return;
    std::string found;
    for (const auto dimension : numbers)
        found += (found.empty() ? "" : ",") + std::to_string(dimension);
    throw trace::Refusal({.what = "This model has not all of these dimensions",
                          .where = "--dimensions",
                          .expected = "0 to " + std::to_string(dimensionCount() - 1),
                          .found = found,
                          .wayOut = "name dimensions that it has, counted from 0"});
}

View* views::makers::positions(Selection* selection, QWidget* parent) {
    return new PositionalEncodingView(selection, parent);
}

} // namespace headscope::widgets

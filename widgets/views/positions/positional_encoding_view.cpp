#include "widgets/views/positions/positional_encoding_view.h"

#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/positions/positional_geometry.h"
#include "model/analysis/positions/rotation_curve.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "model/trace/refusal.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/map/named_labels.h"
#include "widgets/map/number_map.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"
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
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
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

/// A stack whose size hint is its minimum size, so that preferred sizes cause no scrolling. With an ignored
/// size policy, the layout would not count the stack in its height for wrapped text, and the caption would
/// overlap the picture.
class LeastStack : public QStackedWidget {
  public:
    using QStackedWidget::QStackedWidget;
    QSize minimumSizeHint() const override {
        return {QStackedWidget::minimumSizeHint().width(), minimumHeight()};
    }
    QSize sizeHint() const override { return minimumSizeHint(); }
};

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
    : View(parent), selection_(selection), pages_(new QTabBar(this)), sides_(new QComboBox(this)),
      dimensionsRow_(new QWidget(this)), dimensionsLabel_(new QLabel(tr("Dimensions"), dimensionsRow_)),
      dimensionsEdit_(new QLineEdit(dimensionsRow_)), positions_(new QSpinBox(this)),
      offset_(new QSpinBox(this)), result_(new QLabel(this)), notice_(new QLabel(this)),
      stack_(new LeastStack(this)), curves_(new PositionCurves(this)),
      map_(new NumberMap(tr("Positional vectors"), this)),
      similarity_(new NumberMap(tr("Similarity of positions"), this)),
      wavelengths_(new ReadablePlot(tr("Wavelengths of dimensions"), this)), shift_(new ShiftPage(this)),
      words_(new WordPositionPage(this)), scores_(new ScoreTermsPage(selection, this)),
      caption_(captionLabel(this)) {
    setAccessibleName(tr("Positions"));
    buildControls();
    buildPages();
    connectSelection();
    tableChanged();
}

void PositionalEncodingView::buildControls() {
    for (const QString& title : {tr("Curves"), tr("Table"), tr("Similarity"), tr("Wavelengths"), tr("Shift"),
                                 tr("Input vectors"), tr("Content or position")})
        pages_->addTab(title);
    pages_->setAccessibleName(tr("Page of the positions"));
    pages_->setDrawBase(false);
    pages_->setUsesScrollButtons(true);
    sides_->addItems({tr("Source"), tr("Target")});
    sides_->setAccessibleName(tr("Side of the model"));
    dimensionsEdit_->setAccessibleName(tr("Dimensions"));
    dimensionsEdit_->setToolTip(tr("Up to eight dimensions, such as 4, 5, 6 or 0-3"));
    dimensionsEdit_->setText(joined(dimensions_));
    dimensionsEdit_->setMaxLength(200);
    dimensionsEdit_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // not as wide as its line
    dimensionsLabel_->setBuddy(dimensionsEdit_);
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
    connect(pages_, &QTabBar::currentChanged, this, &PositionalEncodingView::showPage);
    connect(pages_, &QTabBar::currentChanged, this, &PositionalEncodingView::followHead);
    connect(sides_, &QComboBox::currentIndexChanged, this, &PositionalEncodingView::tableChanged);
    connect(positions_, &QSpinBox::valueChanged, this, &PositionalEncodingView::showPage);
    connect(offset_, &QSpinBox::valueChanged, this, &PositionalEncodingView::showPage);
    connect(dimensionsEdit_, &QLineEdit::textEdited, this, &PositionalEncodingView::readDimensions);
}

void PositionalEncodingView::buildPages() {
    for (QWidget* page :
         std::initializer_list<QWidget*>{curves_, map_, similarity_, wavelengths_,
                                         new TallArea(shift_, stack_), words_, new TallArea(scores_, stack_)})
        stack_->addWidget(page);
    // Keeps its room if there is nothing to show, so that the controls do not move.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    policy.setRetainSizeWhenHidden(true);
    stack_->setSizePolicy(policy);
    auto* together = new QHBoxLayout(dimensionsRow_);
    together->setContentsMargins(0, 0, 0, 0);
    together->addWidget(dimensionsLabel_);
    together->addWidget(dimensionsEdit_);
    auto* row = new FlowLayout;
    for (QWidget* control :
         std::initializer_list<QWidget*>{sides_, positions_, offset_, result_, dimensionsRow_})
        row->addWidget(control);
    auto* content = new QWidget(this);
    auto* picture = new QVBoxLayout(content);
    picture->setContentsMargins(0, 0, 0, 0);
    picture->addWidget(stack_, 1);
    picture->addWidget(caption_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addLayout(row);
    column->addWidget(notice_);
    column->addWidget(new TallArea(content, this), 1);
}

void PositionalEncodingView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    tableChanged();
}

PositionalEncodingView::Page PositionalEncodingView::page() const {
    return static_cast<Page>(pages_->currentIndex());
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
    pages_->setCurrentIndex(page);
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
    dimensionsEdit_->setText(joined(dimensions));
    return readDimensions();
}

bool PositionalEncodingView::readDimensions() {
    const int width = dimensionCount();
    const QString text = dimensionsEdit_->text();
    const auto dimensions = parseDimensions(text, width, PositionCurves::mostCurves);
    notice_->setVisible(!dimensions && width > 0);
    notice_->setText((table_.byDistance
                          ? tr("Enter heads from 0 to %1, separated by commas, such as 0, 2 or 1-3.")
                          : tr("Enter dimensions from 0 to %1, separated by commas, such as 4, 5, 6 or 0-3."))
                         .arg(width - 1));
    if (!dimensions)
        return false;
    dimensions_ = *dimensions;
    hasOwnDimensions_ = true;
    showPage();
    return true;
}

void PositionalEncodingView::showDimensions() {
    const bool heads = table_.byDistance;
    dimensionsEdit_->setText(joined(dimensions_));
    dimensionsEdit_->setCursorPosition(0);
    dimensionsLabel_->setText(heads ? tr("Heads") : tr("Dimensions"));
    dimensionsEdit_->setAccessibleName(heads ? tr("Heads") : tr("Dimensions"));
    dimensionsEdit_->setToolTip(heads ? tr("Up to eight heads, such as 0, 2 or 1-3")
                                      : tr("Up to eight dimensions, such as 4, 5, 6 or 0-3"));
}

/// Takes some milliseconds, once per model.
void PositionalEncodingView::measureTable() {
    if (!table_.all || table_.byDistance || table_.all == measured_)
        return;
    measured_ = table_.all;
    origin_ = analysis::positionOrigin(trace::view(*measured_));
    jump_ = analysis::lengthJump(trace::view(*measured_));
}

void PositionalEncodingView::tableChanged() {
    const bool wasByDistance = table_.byDistance;
    table_ = run_ ? positionTable(*run_, side()) : PositionTable();
    measureTable();
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
    showPage();
}

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
    stack_->setCurrentWidget(showsTurnedScore() ? curves_ : stack_->widget(pages_->currentIndex()));
    keepHeights();
    update();
    if (any && showsRotation())
        showRotation();
    else if (any && isAnswered())
        showAnswer();
    else if (any)
        showTable();
    Q_EMIT questionsChanged();
}

void PositionalEncodingView::showControls() {
    const bool curves = page() == Page::Curves;
    dimensionsRow_->setVisible(curves);
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
        curves_->show(table_, dimensions_, shownRows());
    else if (page() == Page::Table)
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

std::optional<PositionQuestion> PositionalEncodingView::question() const {
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

std::vector<trace::Wanted> PositionalEncodingView::questions() const {
    std::vector<trace::Wanted> questions;
    if (const auto asks = question())
        questions.push_back(wanted(*asks));
    if (page() == Page::Scores)
        if (const auto terms = scores_->preparing())
            questions.emplace_back(trace::Counted(*terms));
    return questions;
}

void PositionalEncodingView::refresh() {
    if (const auto asks = question()) {
        const auto answer = answerOf(*context().known, *asks);
        const QString why = refusal();
        if ((answer && answer != answer_) || why != saidRefusal_) {
            answer_ = answer ? answer : answer_;
            saidRefusal_ = why;
            showPage();
        }
    }
    if (page() == Page::Scores)
        scores_->refresh(*context().known);
}

QString PositionalEncodingView::refusal() const {
    const auto asks = question();
    return asks ? inWords(context().known->refusalOf(wanted(*asks))) : QString();
}

/// Keeps the answer to the previous question until the next one arrives, so that nothing flickers.
const PositionAnswer* PositionalEncodingView::answer() const {
    const auto asks = question();
    const bool fits = asks && answer_ && answer_->question.about == asks->about &&
                      answer_->question.table == asks->table && answer_->question.site == asks->site &&
                      (!asks->run || answer_->question.run->model == asks->run->model);
    return fits ? answer_.get() : nullptr;
}

const TokenShares& PositionalEncodingView::sharesOf(const PositionAnswer& answer) const {
    return side() == PositionSide::Source ? answer.source : answer.target;
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
    PositionMarks row{.name = tr("wavelength")};
    for (const auto& wave : measured.dimensions) {
        row.values.push_back(wave ? wave->positions : 0);
        row.hollow.push_back(wave && wave->share < 0.5);
    }
    Plot plot = marksPlot({row}, tr("dimension"), tr("wavelength in positions"));
    plot.words = [measured](MapCell mark) { return wavelengthInWords(measured, mark.column); };
    wavelengths_->setPicture(std::make_shared<DrawnPlot>(std::move(plot)));
}

bool PositionalEncodingView::showsRotation() const {
    return page() == Page::Wavelengths && model() && !model()->rotation.empty();
}

void PositionalEncodingView::showRotation() {
    const auto& rotation = model()->rotation;
    PositionMarks row{.name = tr("wavelength")};
    for (const double radians : rotation)
        row.values.push_back(2 * std::numbers::pi / radians);
    row.hollow.resize(row.values.size());
    Plot plot = marksPlot({row}, tr("pair of dimensions"), tr("wavelength in positions"));
    plot.words = [rotation](MapCell mark) { return rotationInWords(rotation, mark.column); };
    wavelengths_->setPicture(std::make_shared<DrawnPlot>(std::move(plot)));
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
    const auto* known = answer();
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
    caption_->setText(turnedScoreCaption());
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
             keyInWords(*run_, kind, cell->column),
             QString::number(cell->column - cell->row).replace('-', QChar(0x2212)), numberText(score));
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
    connect(scores_, &ScoreTermsPage::captionChanged, this, [this] { caption_->setText(caption()); });
    connect(shift_, &ShiftPage::positionHovered, this, [this](std::optional<int> position) {
        selection_->setHover(tokenFocus(position, position, table_, side()));
    });
    connect(words_, &WordPositionPage::cursorMoved, this, [this](std::optional<int> token) {
        const bool source = side() == PositionSide::Source;
        selection_->setHover(source ? TokenFocus{.sourceQuery = token, .sourceKey = token}
                                    : TokenFocus{.targetQuery = token, .targetKey = token});
    });
}

/// Switches to the side of the selected head if its scores can be split.
void PositionalEncodingView::followHead() {
    if (page() != Page::Scores)
        return;
    const auto head = selection_->head();
    if (run_ && nearestExactHead(*run_->model, head.site.kind, head) == head)
        setSide(head.site.kind == trace::AttentionKind::EncoderSelf ? PositionSide::Source
                                                                    : PositionSide::Target);
    showPage();
}

void PositionalEncodingView::followFocus() {
    if (showsTurnedScore()) {
        if (hasFigure())
            showTurnedScore();
        return;
    }
    const PositionFocus lit = positionFocus(selection_->focus(), table_, side());
    curves_->setLit(lit.one);
    map_->setLit(lit.one, std::nullopt);
    similarity_->setLit(lit.query, lit.key);
}

QString PositionalEncodingView::tableCaption() const {
    if (table_.byDistance)
        return distanceCaption(*model(), side(), page() == Page::Table);
    const auto count = shownRows();
    const QString what = page() == Page::Curves  ? dimensionsInWords(dimensions_, table_.all->columns())
                         : page() == Page::Table ? tr("The vectors, positions down and dimensions across,")
                                                 : tr("Cosine similarity of the vectors");
    const QString side = this->side() == PositionSide::Source ? tr("source") : tr("target");
    const QString which =
        model()->recorded
            ? tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions in the trace.")
            : tr("%1 that the model adds to its %2 embeddings: the first %3 of %4 positions in the model.");
    QString words = which.arg(what, side).arg(count).arg(table_.all->rows());
    words += QChar(' ') + originInWords(*model(), origin_);
    if (jump_)
        words += QChar(' ') + jumpInWords(*jump_);
    if (page() != Page::Curves)
        words += sharedPixelsInWords(Pooling::Extreme, count,
                                     page() == Page::Table ? table_.all->columns()
                                                           : static_cast<std::size_t>(count));
    const auto found = std::ranges::count_if(table_.rows, [](const auto& row) { return row.has_value(); });
    if (found > 0)
        words += QChar(' ') + tr("Marked: the %1 positions of this sentence.").arg(found);
    return words;
}

QString PositionalEncodingView::whyNothing() const {
    if (!run_)
        return hintForNoRun(*this);
    if (showsTurnedScore()) {
        if (!run_->complete)
            return tr("The sentence is still being decoded.");
        if (!scoredHead() || !run_->record(scoredHead()->site))
            return tr("There is no target: nothing is decoded.");
        if (analysis::lacksScores(*run_->record(scoredHead()->site)))
            return tr("This trace holds no scores of this head: %1/scores records them.")
                .arg(side() == PositionSide::Source ? "encoder_self" : "decoder_self");
        if (placesChanged(*run_))
            return tr(
                "A what-if has changed the positions: switch the what-if off to see scores by distance.");
    } else if (page() == Page::Scores || page() == Page::Words) {
        const QString why = page() == Page::Scores ? whyNoTerms(*run_, side()) : whyNoShares(*run_, side());
        if (!why.isEmpty())
            return why;
    } else if (!table_.all || table_.byDistance) {
        return whyNoVectors(*model(), side());
    }
    if (const QString why = refusal(); !why.isEmpty())
        return why;
    const PositionAnswer* known = answer();
    if (!known)
        return tr("Measuring...");
    return known->question.about == PositionQuestion::About::Shift
               ? shiftCaption(known->shift, known->fittedShift, side())
               : QString();
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
        return tr("Shows after how many positions each dimension repeats.");
    case Page::Shift:
        return tr("Shows how well one linear map leads from each position to a later one.");
    case Page::Words:
        return tr("Shows the shares of word and position in each token's vector.");
    case Page::Scores:
        return tr("Splits the scores of a first layer into contributions of words, positions and biases.");
    default:
        return tr("Shows the positional vectors that the model adds.");
    }
}

void PositionalEncodingView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0), whatIsMissing(), caption(), theme);
}

/// In a low view, picture and caption scroll.
void PositionalEncodingView::keepHeights() {
    constexpr int leastLines = 14;
    stack_->setMinimumHeight(
        std::max(leastLines * fontMetrics().height(), stack_->currentWidget()->minimumSizeHint().height()));
}

void PositionalEncodingView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    keepHeights();
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
            return plotBlock(wavelengths_->picture(), font());
        case Page::Shift:
            return shift_->block();
        case Page::Words:
            return words_->block(figureParts());
        case Page::Curves:
        case Page::Scores:
            break;
        }
        return page() == Page::Curves || showsTurnedScore() ? filled(curves_) : scores_->block();
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

bool PositionalEncodingView::hasFigure() const {
    if (showsRotation())
        return true;
    if (!isAnswered())
        return table_.all && !table_.all->empty() && !(table_.byDistance && page() == Page::Similarity);
    const PositionAnswer* known = answer();
    if (!known || !refusal().isEmpty())
        return false;
    if (showsTurnedScore())
        return known->projected && turnedCell();
    return page() == Page::Wavelengths ? !known->wavelengths.dimensions.empty()
           : page() == Page::Shift     ? !known->shift.error.empty()
           : page() == Page::Words     ? !sharesOf(*known).shares.empty()
                                       : known->scores && !known->scores->scores.empty();
}

trace::FigureData PositionalEncodingView::figureData() const {
    if (!hasFigure())
        return {};
    if (showsRotation()) {
        std::vector<double> lengths;
        for (const double radians : model()->rotation)
            lengths.push_back(2 * std::numbers::pi / radians);
        return {.arrays = {dataArray("wavelength", lengths, {.name = "pair"})}};
    }
    if (isAnswered())
        return answeredData(*answer());
    const std::size_t rows = shownRows();
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
    if (!showsTurnedScore())
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

#include "widgets/views/positions/score_terms_page.h"

#include "widgets/controls/wrapped_label.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/positions/score_term_maps.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

TokenLabel plainLabel(const QString& text) {
    return {.mark = {}, .text = text, .character = {}};
}

} // namespace

ScoreTermsPage::ScoreTermsPage(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), centred_(new QCheckBox(tr("Rows centred"), this)),
      otherHead_(wrappedLabel(this)), select_(new QPushButton(tr("Select"), this)),
      maps_(new ScoreTermMaps(this)), sum_(wrappedLabel(this)), cell_(new ColumnTable(this)),
      heads_(new ColumnTable(this)), numbers_(new QWidget(this)),
      panes_(new QBoxLayout(QBoxLayout::LeftToRight)) {
    centred_->setToolTip(tr("Subtracts each row's mean over its allowed keys in every map. This does not "
                            "change the softmax, and terms that are equal for all keys of a row become 0."));
    select_->setToolTip(tr("Selects the head of this page in every view"));
    centred_->setObjectName("centred");
    centred_->setAccessibleName(centred_->text());
    select_->setAccessibleName(select_->text());
    cell_->setAccessibleName(tr("Terms of one score"));
    heads_->setAccessibleName(tr("Shares of content and position in each head of the layer"));
    auto* row = new QHBoxLayout;
    row->addWidget(centred_);
    row->addWidget(otherHead_, 1);
    row->addWidget(select_);
    auto* numbers = new QVBoxLayout(numbers_);
    numbers->setContentsMargins(0, 0, 0, 0);
    numbers->addWidget(sum_);
    numbers->addWidget(cell_, 3); // up to the needed height; the table of heads gets the rest
    numbers->addWidget(heads_, 1);
    panes_->addWidget(maps_, 11);
    panes_->addWidget(numbers_, 9);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addLayout(panes_, 1);
    connect(centred_, &QCheckBox::toggled, this, &ScoreTermsPage::showTerms);
    connect(select_, &QPushButton::clicked, this, [this] { selection_->setHead(head_); });
    connect(selection_, &Selection::focusChanged, this, &ScoreTermsPage::followSelection);
    connect(selection_, &Selection::stepChanged, this, &ScoreTermsPage::followSelection);
    connect(maps_, &ScoreTermMaps::cellDescribed, this, &ScoreTermsPage::cellDescribed);
    connect(maps_, &ScoreTermMaps::cursorMoved, this, [this](std::optional<MapCell> cell) {
        selection_->setHover(cell ? TokenFocus::cell(kind(), cell->row, cell->column) : TokenFocus());
    });
    connect(maps_, &ScoreTermMaps::cellClicked, this, [this](MapCell cell) {
        selection_->togglePinned(TokenFocus::cell(kind(), cell.row, cell.column));
    });
}

void ScoreTermsPage::setAnswer(const PositionAnswer& answer, const trace::HeadAddress& head) {
    terms_ = answer.scores;
    shares_ = answer.headShares;
    model_ = answer.question.run ? answer.question.run->model : nullptr;
    head_ = head;
    const bool other = selection_->head() != head_;
    otherHead_->setText(other && model_ ? otherHeadInWords() : QString());
    select_->setVisible(other);
    showTerms();
}

QString ScoreTermsPage::otherHeadInWords() const {
    const auto& selected = selection_->head();
    const bool hasSplit = nearestExactHead(*model_, selected.site.kind, selected) == selected;
    return (hasSplit ? tr("%1 is not on the chosen side: showing %2.")
                     : tr("The scores of %1 cannot be split exactly: showing %2."))
        .arg(address(selected), address(head_));
}

bool ScoreTermsPage::isCentred() const {
    return centred_->isChecked();
}

void ScoreTermsPage::setCentred(bool centred) {
    centred_->setChecked(centred);
}

void ScoreTermsPage::setSpaceMarksShown(bool shown) {
    maps_->setSpaceMarksShown(shown);
}

void ScoreTermsPage::showTerms() {
    if (!terms_ || !model_)
        return;
    QFont marked = font(); // the row of the selected head
    marked.setBold(true);
    const int share = QFontMetrics(marked).horizontalAdvance(QStringLiteral("\u22120.0000")) + 6;
    const int ofHeads = 4 * fontMetrics().height() + share * static_cast<int>(originsIn(*terms_).size());
    numbers_->setMinimumWidth(std::max(tableWidth(2), ofHeads));
    if (!isLong())
        take(headTerms(*terms_, head_.head, isCentred()));
    else if (isShown())
        maps_->setTerms(terms_, shown_);
    else {
        maps_->setTerms(nullptr, nullptr);
        sayMissing(tr("Preparing the terms of these long scores: %1.").arg(shareInWords(0)));
    }
    showHeads();
    followSelection();
    fitPanes();
    Q_EMIT captionChanged();
    Q_EMIT questionsChanged();
}

bool ScoreTermsPage::isLong() const {
    return terms_ && terms_->scores.rows() > static_cast<std::size_t>(trace::longestStoredMap);
}

void ScoreTermsPage::take(std::shared_ptr<const HeadTerms> shown) {
    shown_ = std::move(shown);
    shownOf_ = whose();
    maps_->setTerms(terms_, shown_);
    Q_EMIT captionChanged();
}

PreparedTerms::Value PreparedTerms::count(const trace::Task& work) const {
    return headTerms(*terms, head, centred, work);
}

std::optional<PreparedTerms> ScoreTermsPage::preparing() const {
    return isLong() ? std::optional(whose()) : std::nullopt;
}

void ScoreTermsPage::refresh(const trace::KnownAnswers& known) {
    if (!isLong() || isShown())
        return;
    if (const auto made = known.of(whose())) {
        take(*made);
        return followSelection();
    }
    const trace::Wanted question = trace::Counted(whose());
    const auto refusal = known.refusalOf(question);
    sayMissing(
        refusal
            ? inWords(refusal)
            : tr("Preparing the terms of these long scores: %1.").arg(shareInWords(known.shareOf(question))));
}

void ScoreTermsPage::sayMissing(const QString& words) {
    if (std::exchange(missing_, words) != words)
        maps_->setWhyNothing(words);
}

void ScoreTermsPage::showHeads() {
    TableColumn names{.title = tr("head")};
    double longest = 1; // of all columns, so that they can be compared
    for (std::size_t head = 0; head < shares_.size(); ++head) {
        names.texts += QString::number(head);
        for (const double share : shares_[head].origins)
            longest = std::max(longest, std::abs(share));
    }
    std::vector<TableColumn> columns{names};
    for (const auto origin : originsIn(*terms_)) {
        TableColumn column{
            .title = originName(origin),
            .toolTip = tr("Cov(term, score) / Var(score) over a row's allowed keys, mean over the rows; the "
                          "shares of a head add up to 1, a negative share counteracts the score"),
            .bars = TableColumn::Bars::Under,
            .longest = longest};
        for (const auto& shares : shares_)
            column.numbers.push_back(shares.rows > 0
                                         ? std::optional(shares.origins[static_cast<std::size_t>(origin)])
                                         : std::nullopt);
        columns.push_back(std::move(column));
    }
    heads_->setColumns(std::move(columns), head_.head);
}

std::optional<MapCell> ScoreTermsPage::shownCell() const {
    if (!terms_ || terms_->mask.empty())
        return std::nullopt;
    const auto within = [&](std::optional<trace::TokenIndex> index) {
        return index && *index < terms_->tokens.size() ? index : std::nullopt;
    };
    const auto& focus = selection_->focus();
    const bool decoder = kind() == trace::AttentionKind::DecoderSelf;
    const auto step = decoder ? within(selection_->step()).value_or(0) : trace::TokenIndex();
    const int row = within(focus.query(kind())).value_or(step);
    const std::optional<int> key = within(focus.key(kind()));
    return MapCell{row, key ? *key : highestKey(terms_->scores.head(head_.head), terms_->mask, row)};
}

void ScoreTermsPage::followSelection() {
    if (!terms_)
        return;
    const bool decoder = kind() == trace::AttentionKind::DecoderSelf;
    const auto within = [&](std::optional<trace::TokenIndex> index) {
        return index && *index < terms_->tokens.size() ? index : std::nullopt;
    };
    maps_->setMarks(decoder ? within(selection_->step()) : std::nullopt,
                    within(selection_->focus().query(kind())), within(selection_->focus().key(kind())));
    showCell();
}

/// Width for `columns` columns of numbers without cutting the term names.
int ScoreTermsPage::tableWidth(int columns) const {
    const QFontMetrics metrics(font());
    int name = 0;
    for (const auto& term : terms_->terms)
        name = std::max(name, metrics.horizontalAdvance(termName(term)));
    return name + columns * (metrics.horizontalAdvance(QStringLiteral("\u22120.000894")) + 16) + 24;
}

void ScoreTermsPage::showCell() {
    const auto cell = shownCell();
    for (QWidget* part : std::initializer_list<QWidget*>{sum_, cell_})
        part->setVisible(cell && isShown());
    if (!cell || !isShown())
        return;
    const auto row = static_cast<std::size_t>(cell->row);
    const auto column = static_cast<std::size_t>(cell->column);
    sum_->setText(
        tr("Query %1, key %2: the terms of this score and their shares")
            .arg(quoted(tokenLabel(terms_->tokens, row)), quoted(tokenLabel(terms_->tokens, column))));
    cell_->setAccessibleDescription(sumInWords(*terms_, *shown_, *cell));
    TableColumn names{.title = tr("query–key")};
    TableColumn here{.title = tr("this cell"),
                     .toolTip = tr("These terms add up to the score"),
                     .bars = TableColumn::Bars::Under};
    for (std::size_t term = 0; term < shown_->terms.size(); ++term) {
        names.tokens.push_back(plainLabel(termName(terms_->terms[term])));
        here.numbers.emplace_back(shown_->terms[term](row, column));
    }
    names.tokens.push_back(plainLabel(isCentred() ? tr("score, centred") : tr("score")));
    here.numbers.emplace_back(shown_->scores(row, column));
    const auto& head = shares_.at(head_.head);
    const auto last = static_cast<int>(names.tokens.size()) - 1;
    std::vector<TableColumn> columns{std::move(names), std::move(here)};
    if (cell_->width() >= tableWidth(3))
        columns.push_back(
            shareColumn(tr("row"), tr("Share of the variance of this row's scores"),
                        analysis::rowShares(*terms_, head_.head, row).value_or(std::vector<double>())));
    columns.push_back(shareColumn(
        tr("head"), tr("Share of the variance of a row's scores, mean over the rows"), head.terms));
    cell_->setColumns(std::move(columns), last);
    cell_->setFixedHeight(cell_->wholeHeight()); // all terms in sight: what is around scrolls
    cell_->scrollToTop();                        // the sum, which stands out, is below
}

/// `shares` of every term; empty: there are none.
TableColumn ScoreTermsPage::shareColumn(const QString& title, const QString& toolTip,
                                        const std::vector<double>& shares) const {
    constexpr double rounding = 1e-6; // of terms in single precision
    TableColumn column{.title = title, .toolTip = toolTip, .bars = TableColumn::Bars::Under};
    for (const double share : shares)
        column.numbers.emplace_back(std::abs(share) < rounding ? 0 : share);
    column.numbers.resize(terms_->terms.size());
    column.numbers.push_back(shares.empty() ? std::nullopt : std::optional(1.0));
    return column;
}

QString ScoreTermsPage::caption() const {
    return terms_ && model_ && isShown()
               ? scoreTermsCaption(*model_, *terms_, head_.head, shares_.at(head_.head), shown_->limit,
                                   isCentred())
               : QString();
}

FigureBlock ScoreTermsPage::block() const {
    return {.size = shaped(plotShape, FigureBlocks::usualWidth),
            .draw = [maps = maps_](QPainter& painter, const QRectF& area,
                                   const Theme& theme) { maps->draw(painter, area, theme); },
            .note = [maps = maps_](const QRectF& area) { return maps->namedInWords(area); }};
}

/// Places the numbers next to the maps, or below them on a narrow, high page.
void ScoreTermsPage::fitPanes() {
    const int line = fontMetrics().height();
    // Below the maps, the numbers need a high page; next to them, one that is wide enough for both.
    const bool isWide = width() > height() * 1.2;
    const bool isLow = height() < 32 * line + cell_->wholeHeight();
    const bool hasRoom = width() >= numbers_->minimumWidth() + 15 * line;
    panes_->setDirection(isWide || (isLow && hasRoom) ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    // Without room for numbers, the maps describe each cell.
    numbers_->setVisible(width() > 38 * line || height() > 38 * line);
    layout()->activate();
}

void ScoreTermsPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitPanes();
    showCell();
}

} // namespace headscope::widgets

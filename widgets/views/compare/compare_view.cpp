#include "widgets/views/compare/compare_view.h"

#include "model/analysis/compare/head_changes.h"
#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_heads.h"
#include "widgets/map/linked_maps.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/compare/change_columns.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int compareViewLeastMaps = 15; ///< lines of text in height: below, the view scrolls
constexpr int leastTable = 7;            ///< as above, with its header
constexpr int tall = 1000;               ///< more than there is: shares count

/// Wants no more height than it needs: beyond that it takes what there is, and nothing scrolls.
class CompareParts : public QSplitter {
  public:
    using QSplitter::QSplitter;
    QSize sizeHint() const override { return minimumSizeHint(); }
};

} // namespace

CompareView::CompareView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), rows_(new Selection(this)), bar_(new CompareBar(this)),
      maps_(new LinkedMaps(tr("Maps of A, of B, and their difference"), rows_, this)),
      caption_(captionLabel(this)), pages_(new QTabBar(this)), stack_(new QStackedWidget(this)),
      heads_(new ColumnTable(this, ColumnTable::NoRoom::Drop)), rowTable_(new ColumnTable(this)),
      keyTable_(new ColumnTable(this)), outputTable_(new ColumnTable(this)), pageWords_(captionLabel(this)) {
    setAccessibleName(tr("Compare"));
    buildTables();
    buildLayout();
    connect(bar_, &CompareBar::otherHeadChanged, this, &View::questionsChanged);
    connect(bar_, &CompareBar::alignedOnlyChanged, this, [this] {
        showMaps();
        showTables();
    });
    connect(selection_, &Selection::headChanged, this, &CompareView::followHead);
    connect(selection_, &Selection::focusChanged, this, &CompareView::lightMaps);
    connect(rows_, &Selection::focusChanged, this, &CompareView::lightWindow);
    setPair({}, {});
}

/// Maps that go tell that the pointer has left them, when there is no view to tell any more.
CompareView::~CompareView() {
    rows_->disconnect(this);
}

void CompareView::buildTables() {
    const std::array pages{tr("Heads"), tr("Rows"), tr("Keys"), tr("Output")};
    const std::array tips{tr("Changes of all heads, largest first"), tr("Divergence of each pair of rows"),
                          tr("Column totals of each key"), tr("Outputs with log-probabilities")};
    for (std::size_t i = 0; i < pages.size(); ++i)
        pages_->setTabToolTip(pages_->addTab(pages[i]), tips[i]);
    pages_->setAccessibleName(tr("Page of the comparison"));
    pages_->setDrawBase(false);
    heads_->setAccessibleName(tr("Heads by amount of change"));
    heads_->setSortable(ChangeColumns::Divergence, Qt::DescendingOrder);
    heads_->followHeads(selection_);
    rowTable_->setAccessibleName(tr("Rows of both maps"));
    keyTable_->setAccessibleName(tr("Keys of both maps"));
    outputTable_->setAccessibleName(tr("Outputs"));
    for (QWidget* table : std::initializer_list<QWidget*>{heads_, rowTable_, keyTable_, outputTable_})
        stack_->addWidget(table);
    connect(pages_, &QTabBar::currentChanged, this, &CompareView::turnPage);
    // In a list of nearest heads a row means the head and its neighbour.
    connect(heads_, &ColumnTable::headChosen, this, [this] {
        if (pair_ && !analysis::haveSameHeads(*pair_.first, *pair_.second))
            bar_->setOtherHead({.choice = OtherHead::Choice::Nearest});
    });
}

/// Who comes back asks again for what was refused.
void CompareView::turnPage(int page) {
    stack_->setCurrentIndex(page);
    const auto asks = question();
    isTurningPage_ = asks && context().known->refusalOf(trace::Counted(*asks));
    if (isTurningPage_)
        Q_EMIT questionsChanged();
    isTurningPage_ = false;
    saidOfHeads_ = tr("Comparing heads...");
    showTables();
    Q_EMIT questionsChanged();
}

void CompareView::buildLayout() {
    maps_->setWholeRows(true);
    auto* lower = new QWidget(this);
    auto* tables = new QVBoxLayout(lower);
    tables->setContentsMargins(0, 0, 0, 0);
    tables->addWidget(pages_, 0, Qt::AlignLeft);
    tables->addWidget(stack_, 1);
    auto* split = new CompareParts(Qt::Vertical, this);
    split->addWidget(maps_);
    split->addWidget(lower);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 1);
    split->setSizes({2 * tall, tall});
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(12, 8, 12, 8);
    column->addWidget(bar_);
    column->addWidget(split, 1);
    column->addWidget(caption_);
    column->addWidget(pageWords_);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(new TallArea(content, this));
    keepHeights();
}

/// With little room the view scrolls: maps and tables stay readable.
void CompareView::keepHeights() {
    const int line = fontMetrics().height();
    const bool isNarrow = width() < 3 * compareViewLeastMaps * line / 2; // maps are below each other
    maps_->setMinimumHeight((isNarrow ? 2 : 1) * compareViewLeastMaps * line);
    stack_->setMinimumHeight(leastTable * line);
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    keepHeights();
}

void CompareView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        keepHeights();
}

CompareView::Page CompareView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

void CompareView::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    bar_->setModel(model.get());
}

void CompareView::forgetTyped() {
    bar_->setSentence({});
}

QWidget* CompareView::takesKeys() const {
    return maps_->isVisible() ? maps_ : nullptr;
}

void CompareView::act(const std::string&) {
    bar_->setWith(CompareBar::With::Branch);
    bar_->startChoosing();
}

void CompareView::setPage(Page page) {
    pages_->setCurrentIndex(static_cast<int>(page));
}

void CompareView::setPair(const ComparedPair& pair, const PairNames& names, const QString& why) {
    const bool another = pair != pair_;
    pair_ = pair;
    names_ = names;
    whyNot_ = why;
    if (another) {
        answer_.reset();
        changes_.reset();
        stepsOf_.reset();
        saidOfHeads_ = tr("Comparing heads...");
        steps_.clear();
        heads_->setContent(ChangeColumns::content({}, false));
    }
    bar_->setHeads(pair ? pair_.second->model.get() : nullptr, selection_->head());
    showMaps();
    showTables();
    Q_EMIT questionsChanged();
}

void CompareView::followHead() {
    bar_->setHeads(pair_ ? pair_.second->model.get() : nullptr, selection_->head());
    Q_EMIT questionsChanged();
}

std::optional<CompareQuestion> CompareView::question() const {
    if (!pair_)
        return std::nullopt;
    return CompareQuestion{.pair = pair_, .head = selection_->head(), .other = bar_->otherHead()};
}

std::optional<ComparedPair> CompareView::wantedSteps() const {
    const bool wanted = pair_ && isVisible() && page() == Page::Output && stepsOf_ != pair_;
    return wanted ? std::optional(pair_) : std::nullopt;
}

/// Heads wait for the maps, which are looked at first.
std::vector<trace::Wanted> CompareView::questions() const {
    const auto maps = question();
    if (!maps || isTurningPage_)
        return {};
    std::vector<trace::Wanted> questions{trace::Counted(*maps)};
    const bool isDone = context().known->of(*maps) || context().known->refusalOf(questions.front());
    if (page() == Page::Heads && isDone)
        questions.emplace_back(trace::Counted(ComparedHeads{pair_}));
    return questions;
}

void CompareView::refresh() {
    const auto asks = question();
    if (!asks || isTurningPage_)
        return;
    refreshMaps(*asks);
    if (page() == Page::Heads)
        refreshHeads();
}

/// The maps before stay until the new ones are there, so that nothing blinks. What takes a moment says
/// nothing.
void CompareView::refreshMaps(const CompareQuestion& asks) {
    const trace::Wanted question = trace::Counted(asks);
    auto answer = context().known->of(asks);
    const auto refusal = context().known->refusalOf(question);
    const double share = context().known->shareOf(question);
    const QString words =
        refusal ? inWords(refusal)
        : !answer && share > 0
            ? tr("%1 %2", "what is done, its share").arg(tr("Comparing the maps..."), shareInWords(share))
            : QString();
    if (std::exchange(saidOfMaps_, words) != words)
        bar_->setBusy(words);
    if (!answer || answer == answer_)
        return;
    answer_ = std::move(answer);
    showMaps();
    showTables();
}

void CompareView::refreshHeads() {
    const trace::Wanted question = trace::Counted(ComparedHeads{pair_});
    auto changes = context().known->of(ComparedHeads{pair_});
    const auto refusal = context().known->refusalOf(question);
    const double share = context().known->shareOf(question);
    const QString words = refusal     ? inWords(refusal)
                          : share > 0 ? tr("Comparing heads: %1 %.").arg(std::lround(share * 100))
                                      : tr("Comparing heads...");
    if (changes ? changes == changes_ : words == saidOfHeads_)
        return;
    saidOfHeads_ = words;
    if (changes) {
        changes_ = std::move(changes);
        const bool nearest = !analysis::haveSameHeads(*pair_.first, *pair_.second);
        heads_->setContent(ChangeColumns::content(*changes_, nearest));
    }
    showTables();
}

const std::vector<analysis::HeadChange>& CompareView::changes() const {
    static const std::vector<analysis::HeadChange> none;
    return changes_ ? *changes_ : none;
}

void CompareView::setSteps(std::vector<analysis::StepComparison> steps) {
    stepsOf_ = pair_;
    steps_ = std::move(steps);
    showTables();
}

void CompareView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    maps_->setSpaceMarksShown(shown);
    for (ColumnTable* table : {rowTable_, keyTable_, outputTable_})
        table->setSpaceMarksShown(shown);
}

QString CompareView::caption() const {
    return answer_ ? (compareCaption(*answer_, names_, bar_->alignedOnly()) + cellsInWords(maps_->maps()) +
                      ' ' + compareKey(*answer_, bar_->alignedOnly()))
                         .trimmed()
                   : QString();
}

namespace {

constexpr double leastScale = 0.01; ///< smaller differences stay pale: they are next to none

template <class Cells>
Cells cut(const Cells& cells, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
    Cells part(rows.size(), columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t c = 0; c < columns.size(); ++c)
            part(r, c) = cells(rows[r], columns[c]);
    return part;
}

template <class T>
std::vector<T> pick(const std::vector<T>& all, const std::vector<std::size_t>& places) {
    std::vector<T> some;
    for (const std::size_t place : places)
        some.push_back(all[place]);
    return some;
}

/// A column of what `value` gives for each place, with a dash where it gives nothing.
template <class Value>
TableColumn column(const QString& title, const QString& toolTip, const std::vector<std::size_t>& places,
                   Value value, bool bars = false) {
    TableColumn made{.title = title,
                     .toolTip = toolTip,
                     .bars = bars ? TableColumn::Bars::Under : TableColumn::Bars::None};
    for (const std::size_t place : places)
        made.numbers.push_back(value(place));
    return made;
}

} // namespace

std::vector<TokenLabel> CompareView::labels(bool queries) const {
    const auto kind = answer_->question.head.site.kind;
    const auto& alignment = answer_->alignment;
    return queries ? placeLabels(alignment.queriesOf(kind), pair_.first->queryTokens(kind),
                                 pair_.second->queryTokens(kind))
                   : placeLabels(alignment.keysOf(kind), pair_.first->keyTokens(kind),
                                 pair_.second->keyTokens(kind));
}

QString CompareView::whyNot() const {
    return maps_->isEmpty() ? whyEmpty() : QString();
}

QString CompareView::whyEmpty() const {
    return !pair_ ? whyNot_ : !answer_ ? tr("Aligning...") : whyNoMaps(*answer_);
}

void CompareView::setEmptyState() {
    const QString what =
        tr("Compares the maps of a head on aligned tokens, and lists the heads that changed most.");
    maps_->setEmptyState(what, whyEmpty());
}

/// Of maps that are kept what is shown is cut out; of longer ones their smaller pictures are there.
std::array<LinkedMap, 3> CompareView::mapsInSight() {
    const auto& maps = answer_->maps;
    const bool alignedOnly = bar_->alignedOnly();
    const ComparedPicture* picture =
        answer_->pictures.empty() ? nullptr : &answer_->pictures.at(alignedOnly ? 1 : 0);
    shownRows_ = picture ? picture->rows : shownPlaces(maps.rows, alignedOnly);
    shownColumns_ = picture ? picture->columns : shownPlaces(maps.columns, alignedOnly);
    const std::array values{&maps.first, &maps.second, &maps.change};
    const std::array masks{&maps.firstOpen, &maps.secondOpen, &maps.both};
    const auto rowLabels = pick(labels(true), shownRows_);
    const auto columnLabels = pick(labels(false), shownColumns_);
    std::array<LinkedMap, 3> shown;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        LinkedMap map{.kind = answer_->question.head.site.kind,
                      .tone = i == 2 ? LinkedMap::Tone::Scores : LinkedMap::Tone::Weights,
                      .limit = std::max(maps.largest, leastScale),
                      .rowLabels = rowLabels,
                      .columnLabels = columnLabels};
        map.values = picture ? picture->values[i] : cut(*values[i], shownRows_, shownColumns_);
        map.mask = picture ? picture->masks[i] : cut(*masks[i], shownRows_, shownColumns_);
        if (picture)
            thinLabels(map, picture->tokens);
        shown[i] =
            picture ? std::move(map) : pooled(std::move(map), static_cast<int>(trace::longestStoredMap));
    }
    return shown;
}

QString CompareView::cellInWords(MapCell cell) const {
    const auto row = shownRows_.at(static_cast<std::size_t>(cell.row));
    const auto column = shownColumns_.at(static_cast<std::size_t>(cell.column));
    return answer_->pictures.empty()
               ? compareCellInWords(answer_->maps, row, column, placeInWords(cell))
               : compareCellInWords(comparedRow(*answer_, row), 0, column, placeInWords(cell));
}

void CompareView::showMaps() {
    shownRows_.clear();
    shownColumns_.clear();
    if (!hasFigure()) {
        caption_->clear();
        setEmptyState();
        maps_->setMaps({});
        return;
    }
    auto maps = mapsInSight();
    maps[0].title = tr("A: %1").arg(address(answer_->question.head));
    maps[1].title = tr("B: %1").arg(address(*answer_->other));
    maps[2].title = tr("B \u2212 A");
    maps_->setWords(
        [this](trace::AttentionKind, MapCell cell) { return cellInWords(cell); },
        [rowLabels = pick(labels(true), shownRows_),
         columnLabels = pick(labels(false), shownColumns_)](trace::AttentionKind, bool isQuery, int index) {
            return quoted((isQuery ? rowLabels : columnLabels).at(static_cast<std::size_t>(index)));
        });
    maps_->setMaps({std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end())});
    // How many cells one stands for is known of the maps alone.
    caption_->setText(compareKey(*answer_, bar_->alignedOnly()) + ' ' +
                      compareCaption(*answer_, names_, bar_->alignedOnly()) + cellsInWords(maps_->maps()));
    lightMaps();
}

QString CompareView::placeInWords(MapCell cell) const {
    const auto row = shownRows_.at(static_cast<std::size_t>(cell.row));
    const auto column = shownColumns_.at(static_cast<std::size_t>(cell.column));
    return tr("%1 \u2192 %2").arg(quoted(labels(true).at(row)), quoted(labels(false).at(column)));
}

void CompareView::showTables() {
    switch (page()) {
    case Page::Heads:
        return showHeads();
    case Page::Rows:
        return showRows();
    case Page::Keys:
        return showKeys();
    case Page::Output:
        return showOutput();
    }
}

void CompareView::showHeads() {
    const std::size_t count = changes().size();
    if (!pair_)
        pageWords_->setText(tr("Nothing to compare yet."));
    else if (!changes_)
        pageWords_->setText(saidOfHeads_);
    else if (count == 0)
        pageWords_->setText(tr("No row of any head can be compared."));
    else if (analysis::haveSameHeads(*pair_.first, *pair_.second))
        pageWords_->setText(
            tr("%1 heads, each compared with the same head: mean divergence (Jensen-Shannon, base 2, 0 to 1) "
               "of aligned rows, largest first. Unmatched: the weight on unmatched keys, which count as one "
               "key; where it is large, the comparison covers little.")
                .arg(count));
    else
        pageWords_->setText(
            tr("The models have different heads: %1 heads of A, each with the nearest of its kind in B by "
               "mean divergence (Jensen-Shannon, base 2, 0 to 1) of aligned rows.")
                .arg(count));
}

void CompareView::showRows() {
    if (!hasFigure()) {
        rowTable_->setColumns({});
        pageWords_->setText(tr("There are no rows to compare."));
        return;
    }
    const auto& rows = answer_->maps.rowComparisons;
    const auto of = [&](double analysis::RowComparison::*value) {
        return [&rows, value](std::size_t row) {
            return rows[row] ? std::optional((*rows[row]).*value) : std::nullopt;
        };
    };
    using Row = analysis::RowComparison;
    rowTable_->setColumns(
        {{.title = tr("Row"), .tokens = pick(labels(true), shownRows_)},
         column(tr("Divergence"), tr("Jensen-Shannon divergence of both rows, base 2, 0 to 1"), shownRows_,
                of(&Row::divergence), true),
         column(tr("Unmatched in A"), tr("Weight of A's row on unmatched keys"), shownRows_,
                of(&Row::firstOutside)),
         column(tr("Unmatched in B"), tr("Weight of B's row on unmatched keys"), shownRows_,
                of(&Row::secondOutside)),
         column(tr("Entropy, A"), tr("Bits, over all keys of A's row"), shownRows_, of(&Row::firstEntropy)),
         column(tr("Entropy, B"), tr("Bits, over all keys of B's row"), shownRows_,
                of(&Row::secondEntropy))});
    pageWords_->setText(tr("Each pair of rows: divergence, weight on unmatched keys (counted as one key), "
                           "and entropy. A dash: no pair, or masked."));
}

void CompareView::showKeys() {
    if (!hasFigure()) {
        keyTable_->setColumns({});
        pageWords_->setText(tr("There are no keys to compare."));
        return;
    }
    const auto& first = answer_->maps.firstReceived;
    const auto& second = answer_->maps.secondReceived;
    keyTable_->setColumns({{.title = tr("Key"), .tokens = pick(labels(false), shownColumns_)},
                           column(tr("Column total, A"), tr("Sum of the column over all rows of A"),
                                  shownColumns_, [&](std::size_t key) { return first[key]; }),
                           column(tr("Column total, B"), tr("Sum of the column over all rows of B"),
                                  shownColumns_, [&](std::size_t key) { return second[key]; }),
                           column(
                               tr("Change"), tr("Column total in B minus column total in A"), shownColumns_,
                               [&](std::size_t key) {
                                   return first[key] && second[key]
                                              ? std::optional(*second[key] - *first[key])
                                              : std::nullopt;
                               },
                               true)});
    pageWords_->setText(tr("The column total of each key in its own map."));
}

void CompareView::showOutput() {
    if (!answer_) {
        outputTable_->setColumns({});
        pageWords_->setText(tr("Nothing to compare yet."));
        return;
    }
    const auto& [first, second, axis] = answer_->said;
    const auto places = shownPlaces(axis.places, bar_->alignedOnly());
    const auto said = [&](const analysis::SaidOutput& output, const std::vector<analysis::AxisUnit>& units,
                          std::optional<std::size_t> analysis::AlignedPlace::*side) {
        return [&, side](std::size_t place) {
            const auto& at = axis.places[place].*side;
            const auto said =
                at ? std::optional(analysis::logProbabilityOf(output, units[*at])) : std::nullopt;
            return said && std::isnan(*said) ? std::nullopt : said; // of a trace it may not be known
        };
    };
    std::vector<TableColumn> columns{
        {.title = tr("Token"), .tokens = pick(placeLabels(axis, first.tokens, second.tokens), places)},
        column(tr("Log-prob., A"), tr("Natural logarithm of the token's probability in A"), places,
               said(first, axis.first, &analysis::AlignedPlace::first)),
        column(tr("Log-prob., B"), tr("Natural logarithm of the token's probability in B"), places,
               said(second, axis.second, &analysis::AlignedPlace::second))};
    if (!steps_.empty())
        columns.push_back(column(
            tr("KL(A \u2016 B)"),
            tr("Divergence of the next-token distributions at this step, with A's output forced on B, in "
               "nats"),
            places,
            [&](std::size_t place) {
                const auto& at = axis.places[place].first;
                return at && *at < steps_.size() ? std::optional(steps_[*at].divergence) : std::nullopt;
            },
            true));
    outputTable_->setColumns(std::move(columns));
    pageWords_->setText(saidInWords(answer_->said) + ' ' + stepsInWords(steps_.size()));
}

namespace {

using analysis::AlignedAxis;
using Places = std::vector<std::size_t>;

/// The first token of A at a row or column of the maps; nothing where A has none there.
std::optional<int> tokenAt(const AlignedAxis& axis, const Places& shown, std::optional<int> index) {
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= shown.size())
        return std::nullopt;
    const auto& place = axis.places[shown[static_cast<std::size_t>(*index)]];
    return place.first ? std::optional(static_cast<int>(axis.first[*place.first].tokens.first))
                       : std::nullopt;
}

/// The row or column of the maps that a token of A stands in.
std::optional<int> indexOf(const AlignedAxis& axis, const Places& shown, std::optional<int> token) {
    if (!token || *token < 0)
        return std::nullopt;
    const auto found = std::ranges::find_if(shown, [&](std::size_t at) {
        const auto& place = axis.places[at];
        if (!place.first)
            return false;
        const auto& span = axis.first[*place.first].tokens;
        const auto wanted = static_cast<std::size_t>(*token);
        return span.first <= wanted && wanted < span.last;
    });
    return found == shown.end() ? std::nullopt : std::optional(static_cast<int>(found - shown.begin()));
}

} // namespace

TokenFocus CompareView::toWindow(const TokenFocus& focus) const {
    if (!answer_ || shownRows_.empty())
        return {};
    const auto kind = answer_->question.head.site.kind;
    return TokenFocus::cell(kind, tokenAt(answer_->alignment.queriesOf(kind), shownRows_, focus.query(kind)),
                            tokenAt(answer_->alignment.keysOf(kind), shownColumns_, focus.key(kind)));
}

TokenFocus CompareView::fromWindow(const TokenFocus& focus) const {
    if (!answer_ || shownRows_.empty())
        return {};
    const auto kind = answer_->question.head.site.kind;
    return TokenFocus::cell(kind, indexOf(answer_->alignment.queriesOf(kind), shownRows_, focus.query(kind)),
                            indexOf(answer_->alignment.keysOf(kind), shownColumns_, focus.key(kind)));
}

void CompareView::lightWindow() {
    if (mirroring_)
        return;
    Q_EMIT cellDescribed(maps_->focusInWords());
    mirroring_ = true;
    selection_->setHover(toWindow(rows_->hover()));
    const auto pinned = toWindow(rows_->pinned());
    if (pinned.isEmpty())
        selection_->clearPinned();
    else if (pinned != selection_->pinned())
        selection_->togglePinned(pinned);
    mirroring_ = false;
}

void CompareView::lightMaps() {
    if (mirroring_)
        return;
    mirroring_ = true;
    rows_->setHover(fromWindow(selection_->hover()));
    const auto pinned = fromWindow(selection_->pinned());
    if (pinned.isEmpty())
        rows_->clearPinned();
    else if (pinned != rows_->pinned())
        rows_->togglePinned(pinned);
    mirroring_ = false;
}

namespace {

std::string otherHeadOf(const CompareBar& bar) {
    using Choice = OtherHead::Choice;
    const auto other = bar.otherHead();
    return other.choice == Choice::This      ? trace::toString(other.head)
           : other.choice == Choice::Nearest ? "nearest"
                                             : "same";
}

void setOtherHead(CompareBar& bar, const QString& head) {
    using Choice = OtherHead::Choice;
    if (const auto address = trace::parseHeadAddress(head.toStdString()))
        bar.setOtherHead({.choice = Choice::This, .head = *address});
    else
        bar.setOtherHead({.choice = head == QLatin1String("nearest") ? Choice::Nearest : Choice::Usual});
}

} // namespace

void CompareView::addChoices(ViewChoices& choices) {
    auto* bar = bar_;
    choices.addPage("compare", this);
    choices.addWord(
        "compare", "with", [bar] { return static_cast<int>(bar->with()); },
        [bar](int with) { bar->setWith(static_cast<CompareBar::With>(with)); });
    choices.addText(
        "compare", "sentence", [bar] { return bar->sentence(); },
        [bar](const QString& sentence) {
            bar->setSentence(sentence);
            Q_EMIT bar->chosen();
        });
    choices.addWhole(
        "compare", "branch", [bar] { return bar->branch(); }, [bar](int branch) { bar->setBranch(branch); });
    choices.addWhole(
        "compare", "step", [bar] { return bar->step(); }, [bar](int step) { bar->setStep(step); });
    choices.addText(
        "compare", "head", [bar] { return QString::fromStdString(otherHeadOf(*bar)); },
        [bar](const QString& head) { setOtherHead(*bar, head); });
    choices.addFlag(
        "compare", "aligned-only", [bar] { return bar->alignedOnly(); },
        [bar](bool only) { bar->setAlignedOnly(only); });
}

View* views::makers::compare(Selection* selection, QWidget* parent) {
    return new CompareView(selection, parent);
}

} // namespace headscope::widgets

#include "widgets/views/compare/compare_view.h"
#include "widgets/export/figure_heads.h"

#include "widgets/controls/tall_area.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"
#include "widgets/map/linked_maps.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/compare/head_change_table.h"
#include "widgets/words/captions.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <cmath>
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
    : QWidget(parent), selection_(selection), rows_(new Selection(this)), bar_(new CompareBar(this)),
      maps_(new LinkedMaps(tr("Maps of A, of B, and their difference"), rows_, this)),
      caption_(captionLabel(this)), pages_(new QTabBar(this)), stack_(new QStackedWidget(this)),
      heads_(new HeadChangeTable(selection, this)), rowTable_(new NumbersTable(this)),
      keyTable_(new NumbersTable(this)), outputTable_(new NumbersTable(this)),
      pageWords_(captionLabel(this)) {
    setAccessibleName(tr("Compare"));
    buildTables();
    buildLayout();
    connect(bar_, &CompareBar::otherHeadChanged, this, &CompareView::ask);
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
    const std::array tips{tr("What became of every head, those that changed most first"),
                          tr("How far each pair of rows is apart"),
                          tr("What each key receives from all rows"),
                          tr("What was said, with log-probabilities")};
    for (std::size_t i = 0; i < pages.size(); ++i)
        pages_->setTabToolTip(pages_->addTab(pages[i]), tips[i]);
    pages_->setAccessibleName(tr("What the comparison is told by"));
    pages_->setDrawBase(false);
    rowTable_->setAccessibleName(tr("Rows of both maps"));
    keyTable_->setAccessibleName(tr("Keys of both maps"));
    outputTable_->setAccessibleName(tr("What was said"));
    for (QWidget* table : std::initializer_list<QWidget*>{heads_, rowTable_, keyTable_, outputTable_})
        stack_->addWidget(table);
    connect(pages_, &QTabBar::currentChanged, this, [this](int page) {
        stack_->setCurrentIndex(page);
        showTables();
        Q_EMIT questionChanged();
    });
    // In a list of nearest heads a row means the head and its neighbour.
    connect(heads_, &HeadChangeTable::headChosen, this, [this] {
        if (pair_ && !analysis::haveSameHeads(*pair_.first, *pair_.second))
            bar_->setOtherHead({.choice = OtherHead::Choice::Nearest});
    });
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

void CompareView::focusMaps() {
    QWidget* shown = maps_->isVisible() ? static_cast<QWidget*>(maps_) : window();
    shown->setFocus(Qt::ShortcutFocusReason);
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
        changesOf_.reset();
        stepsOf_.reset();
        progress_.reset();
        steps_.clear();
        heads_->setChanges({}, false);
    }
    bar_->setHeads(pair ? pair_.second->model.get() : nullptr, selection_->head());
    showMaps();
    showTables();
    Q_EMIT questionChanged();
}

void CompareView::followHead() {
    bar_->setHeads(pair_ ? pair_.second->model.get() : nullptr, selection_->head());
    ask();
}

/// The maps before stay until the new ones are there, so that nothing blinks.
void CompareView::ask() {
    Q_EMIT questionChanged();
}

std::optional<CompareQuestion> CompareView::question() const {
    const CompareQuestion question{.pair = pair_, .head = selection_->head(), .other = bar_->otherHead()};
    const bool isThere = answer_ && answer_->question == question;
    return isThere || !pair_ || !isVisible() ? std::nullopt : std::optional(question);
}

std::optional<ComparedPair> CompareView::wantedChanges() const {
    const bool wanted = pair_ && isVisible() && page() == Page::Heads && changesOf_ != pair_;
    return wanted ? std::optional(pair_) : std::nullopt;
}

std::optional<ComparedPair> CompareView::wantedSteps() const {
    const bool wanted = pair_ && isVisible() && page() == Page::Output && stepsOf_ != pair_;
    return wanted ? std::optional(pair_) : std::nullopt;
}

void CompareView::setAnswer(const CompareAnswer& answer) {
    if (answer.question.pair != pair_)
        return;
    answer_ = answer;
    showMaps();
    showTables();
}

void CompareView::setChanges(std::vector<analysis::HeadChange> changes) {
    changesOf_ = pair_;
    progress_.reset();
    const bool nearest = pair_ && !analysis::haveSameHeads(*pair_.first, *pair_.second);
    heads_->setChanges(std::move(changes), nearest);
    showTables();
}

void CompareView::setProgress(double share) {
    progress_ = share;
    showTables();
}

void CompareView::setSteps(std::vector<analysis::StepComparison> steps) {
    stepsOf_ = pair_;
    steps_ = std::move(steps);
    showTables();
}

void CompareView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    maps_->setSpaceMarksShown(shown);
    for (NumbersTable* table : {rowTable_, keyTable_, outputTable_})
        table->setSpaceMarksShown(shown);
}

QString CompareView::caption() const {
    return answer_ ? (compareCaption(*answer_, names_, bar_->alignedOnly()) + cellsInWords(maps_->maps()) +
                      ' ' + compareKey(*answer_, bar_->alignedOnly()))
                         .trimmed()
                   : QString();
}

void CompareView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT questionChanged();
}

void CompareView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT questionChanged();
}

} // namespace headscope::widgets

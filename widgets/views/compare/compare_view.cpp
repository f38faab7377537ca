#include "widgets/views/compare/compare_view.h"

#include "model/analysis/compare/head_changes.h"
#include "model/trace/run_path.h"
#include "widgets/controls/patience.h"
#include "widgets/controls/tall_area.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/export/figure_heads.h"
#include "widgets/map/linked_maps.h"
#include "widgets/map/map_tones.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/table_figure.h"
#include "widgets/view_spec.h"
#include "widgets/views/compare/change_columns.h"
#include "widgets/views/compare/change_strip.h"
#include "widgets/views/compare/compare_start.h"
#include "widgets/views/compare/compare_titles.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
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

// Lines of text in height.
constexpr int compareViewLeastMaps = 11;         ///< below, the view scrolls
constexpr int leastTable = 7;                    ///< as above, with its header
constexpr int roomyView = 26;                    ///< in less there are no small maps
constexpr int lowestTile = 40, highestTile = 97; ///< of the small maps, in pixels
constexpr int usualTables = 204;                 ///< the open drawer without its bar, in pixels

/// Wants no more height than it needs: beyond that it takes what there is, and nothing scrolls.
class CompareParts : public QSplitter {
  public:
    using QSplitter::QSplitter;
    QSize sizeHint() const override { return minimumSizeHint(); }
};

} // namespace

CompareView::CompareView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), rows_(new Selection(this)), bar_(new CompareBar(this)),
      body_(new QStackedWidget(this)), start_(new CompareStart(this)),
      maps_(new LinkedMaps(tr("Maps of A, of B, and their difference"), rows_, this)),
      titles_(new CompareTitles(maps_, this)), strip_(new ChangeStrip(this)), busy_(new QFrame(body_)),
      busyWords_(new QLabel(busy_)), busyShare_(new QProgressBar(busy_)),
      patience_(new Patience(this, [this] { showBusy(true); })), key_(new WrappedLabel(this)),
      split_(new CompareParts(Qt::Vertical, this)), drawer_(new QWidget(this)),
      stack_(new QStackedWidget(this)), heads_(new ColumnTable(this, ColumnTable::NoRoom::Drop)),
      rowTable_(new ColumnTable(this)), keyTable_(new ColumnTable(this)), outputTable_(new ColumnTable(this)),
      pageWords_(captionLabel(this)) {
    setAccessibleName(tr("Compare"));
    buildTables();
    buildLayout();
    connectBar();
    connect(strip_, &ChangeStrip::headChosen, selection_, &Selection::setHead);
    connect(strip_, &ChangeStrip::allWanted, this, [this] {
        setPage(Page::Heads);
        setDrawerOpen(true);
    });
    connect(maps_, &LinkedMaps::placed, this, [this] { showBusy(!busy_->isHidden()); });
    connect(selection_, &Selection::headChanged, this, [this] {
        fillHeads();
        showStrip();
        showMaps();
        Q_EMIT questionsChanged();
    });
    connect(selection_, &Selection::stepChanged, this, [this] {
        showStep();
        if (bar_->with() == CompareBar::With::Step)
            Q_EMIT questionsChanged();
    });
    connect(selection_, &Selection::focusChanged, this, &CompareView::lightMaps);
    connect(rows_, &Selection::focusChanged, this, &CompareView::lightWindow);
    other_.why = tr("Nothing is decoded yet.");
    setPair({}, {});
    setDrawerOpen(false); // once its bar has its height
}

void CompareView::connectBar() {
    connect(bar_, &CompareBar::chosen, this, [this](const auto& choice) {
        Q_EMIT intended(choice);
        const int step = selection_->step();
        if (choice.name == "with" && bar_->with() == CompareBar::With::Step &&
            shownOtherStep(*context().document, step) == step)
            choose("step", std::int64_t(-1)); // the one beside it
    });
    connect(bar_, &CompareBar::sentenceEntered, this, &CompareView::askAgain);
    connect(bar_, &CompareBar::headChosen, selection_, &Selection::setHead);
    connect(bar_, &CompareBar::pathChosen, this, [this](int path) {
        intents::ShowPath shown;
        shown.path = path;
        Q_EMIT intended(shown);
    });
    connect(bar_, &CompareBar::swapped, this, &CompareView::swap);
    connect(bar_->modelMenu(), &QMenu::aboutToShow, this,
            [this] { Q_EMIT intended(intents::OfferSecond{bar_->modelMenu()}); });
    connect(start_, &CompareStart::wanted, this, [this](CompareBar::With with) {
        bar_->setWith(with);
        bar_->startChoosing();
    });
    connect(start_, &CompareStart::headWanted, selection_, &Selection::setHead);
}

/// Maps that go tell that the pointer has left them, when there is no view to tell any more.
CompareView::~CompareView() {
    rows_->disconnect(this);
}

void CompareView::buildTables() {
    heads_->setAccessibleName(tr("Heads by amount of change"));
    heads_->setSortable(ChangeColumns::Divergence, Qt::DescendingOrder);
    heads_->followHeads(selection_);
    rowTable_->setAccessibleName(tr("Rows of both maps"));
    keyTable_->setAccessibleName(tr("Keys of both maps"));
    outputTable_->setAccessibleName(tr("Outputs"));
    for (QWidget* table : std::initializer_list<QWidget*>{heads_, rowTable_, keyTable_, outputTable_})
        stack_->addWidget(table);
    // In a list of nearest heads a row means the head and its neighbour.
    connect(heads_, &ColumnTable::headChosen, this, [this] {
        if (pair_ && !analysis::haveSameHeads(*pair_.first, *pair_.second))
            bar_->setOtherHead({.choice = OtherHead::Choice::Nearest});
    });
}

void CompareView::turnPage(Page page) {
    page_ = page;
    stack_->setCurrentIndex(static_cast<int>(page));
    saidOfHeads_ = tr("Comparing heads...");
    showStrip();
    showTables();
    askAgain();
}

/// What is under way goes on.
void CompareView::askAgain() {
    isAskingAgain_ = std::ranges::any_of(questions(), [this](const auto& question) {
        return context().known->refusalOf(question).has_value();
    });
    if (isAskingAgain_)
        Q_EMIT questionsChanged();
    isAskingAgain_ = false;
    Q_EMIT questionsChanged();
}

void CompareView::buildLayout() {
    maps_->setWholeRows(true);
    maps_->setBare(true);
    auto* compared = new QWidget(this);
    auto* rows = new QVBoxLayout(compared);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(titles_);
    rows->addWidget(maps_, 1);
    rows->addWidget(strip_);
    body_->addWidget(compared);
    body_->addWidget(start_);
    auto* busy = new QVBoxLayout(busy_);
    busy->addWidget(busyWords_);
    busy->addWidget(busyShare_);
    busy_->setFrameShape(QFrame::StyledPanel);
    busy_->setAutoFillBackground(true);
    busyWords_->setTextFormat(Qt::PlainText);
    busyShare_->setTextVisible(false);
    busyShare_->setFixedHeight(6);
    busy_->hide();
    split_->addWidget(body_);
    split_->addWidget(newDrawer());
    split_->setChildrenCollapsible(false);
    split_->setStretchFactor(0, 1);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(space::s, 0, space::s, 0);
    column->setSpacing(0);
    column->addWidget(bar_);
    column->addWidget(split_, 1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(new TallArea(content, this));
    keepHeights();
}

/// A row of buttons, and above it the table of the one that is down.
QWidget* CompareView::newDrawer() {
    const std::array titles{tr("Heads"), tr("Rows"), tr("Keys"), tr("Output")};
    const std::array tips{tr("Changes of all heads, largest first"), tr("Divergence of each pair of rows"),
                          tr("Column totals of each key"), tr("Outputs with log-probabilities")};
    auto* bar = new QHBoxLayout;
    auto* name = new QLabel(tr("Tables"), drawer_);
    name->setForegroundRole(QPalette::PlaceholderText);
    bar->addWidget(name);
    for (std::size_t i = 0; i < titles.size(); ++i) {
        auto* button = new QToolButton(drawer_);
        button->setText(titles[i]);
        button->setToolTip(tips[i]);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        pages_.push_back(button);
        bar->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, i](bool on) {
            setPage(static_cast<Page>(i));
            setDrawerOpen(on);
        });
    }
    key_->setLines(1);
    key_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    key_->setForegroundRole(QPalette::PlaceholderText);
    bar->addWidget(key_, 1);
    auto* column = new QVBoxLayout(drawer_);
    column->setContentsMargins(0, space::xs, 0, space::xs);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(stack_, 1);
    column->addWidget(pageWords_);
    return drawer_;
}

bool CompareView::isDrawerOpen() const {
    return !stack_->isHidden();
}

void CompareView::setDrawerOpen(bool open) {
    const bool hadKeys = stack_->isAncestorOf(window()->focusWidget());
    for (std::size_t i = 0; i < pages_.size(); ++i)
        pages_[i]->setChecked(open && page_ == static_cast<Page>(i));
    if (isDrawerOpen() == open)
        return;
    stack_->setVisible(open);
    pageWords_->setVisible(open);
    drawer_->setMaximumHeight(open ? QWIDGETSIZE_MAX : drawer_->layout()->sizeHint().height());
    const int bar = drawer_->layout()->itemAt(0)->sizeHint().height();
    const int wanted = open ? std::min(usualTables + bar, split_->height() * 2 / 5) : bar;
    split_->setSizes({split_->height() - wanted, wanted});
    keepHeights();
    if (hadKeys && !open)
        maps_->setFocus();
    Q_EMIT questionsChanged();
}

/// With little room the view scrolls: maps and tables stay readable. What the tables list needs no small
/// maps above them.
void CompareView::keepHeights() {
    const int line = fontMetrics().height();
    maps_->setMinimumHeight(compareViewLeastMaps * line);
    stack_->setMinimumHeight(leastTable * line);
    strip_->setVisible(!isDrawerOpen() && height() >= roomyView * line);
    strip_->setFixedHeight(3 * line + std::clamp(height() / 8, lowestTile, highestTile));
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

void CompareView::showEvent(QShowEvent* event) {
    window()->installEventFilter(this);
    View::showEvent(event);
}

void CompareView::hideEvent(QHideEvent* event) {
    window()->removeEventFilter(this);
    View::hideEvent(event);
}

void CompareView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isDrawerOpen())
        return setDrawerOpen(false);
    View::keyPressEvent(event);
}

bool CompareView::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != window() || !isKey || byChange_.empty())
        return View::eventFilter(watched, event);
    const QString text = static_cast<QKeyEvent*>(event)->text();
    if (text != QStringLiteral("[") && text != QStringLiteral("]"))
        return View::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        goToChanged(text == QStringLiteral("]") ? 1 : -1);
    return true;
}

std::optional<std::size_t> CompareView::rankOfHead() const {
    const auto found = std::ranges::find(byChange_, selection_->head(), &analysis::HeadChange::head);
    return found == byChange_.end() ? std::nullopt : std::optional<std::size_t>(found - byChange_.begin());
}

void CompareView::goToChanged(int by) {
    if (byChange_.empty())
        return;
    const auto rank = rankOfHead();
    const auto last = std::ssize(byChange_) - 1;
    const auto next = rank ? std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(*rank) + by, 0, last) : 0;
    selection_->setHead(byChange_[next].head);
}

QString CompareView::whyNotSwapped() const {
    using With = CompareBar::With;
    const auto& document = *context().document;
    if (!document.run || !document.request)
        return tr("Nothing is decoded yet.");
    switch (bar_->with()) {
    case With::Sentence:
        return bar_->sentence().isEmpty() ? tr("Type the sentence of B first.")
               : std::holds_alternative<std::string>(document.run->request.source)
                   ? QString()
                   : tr("A was not typed as text.");
    case With::Model:
        return tr("A is the open model. Open the other one to exchange them.");
    case With::Branch:
        return !trace::shownPath(*document.run)     ? tr("A is a hypothesis of the search.")
               : document.branches.names.size() > 1 ? QString()
                                                    : tr("There is only one path.");
    case With::Step:
        return shownOtherStep(document, selection_->step()) >= 0 ? QString() : tr("There is only one step.");
    case With::Unchanged:
        return tr("The original is always B.");
    }
    return {};
}

void CompareView::swap() {
    using With = CompareBar::With;
    const auto& document = *context().document;
    if (!whyNotSwapped().isEmpty())
        return;
    if (bar_->with() == With::Sentence) {
        const std::string second = bar_->sentence().toStdString();
        choose("sentence", std::get<std::string>(document.run->request.source));
        Q_EMIT intended(intents::Decode{second});
    } else if (bar_->with() == With::Branch) {
        intents::ShowPath second;
        second.path = shownBranch(document);
        choose("branch", static_cast<std::int64_t>(trace::shownPath(*document.run).value_or(0)));
        Q_EMIT intended(second);
    } else {
        const int first = selection_->step();
        const int second = shownOtherStep(document, first);
        choose("step", std::int64_t(first));
        Q_EMIT intended(intents::GoTo{static_cast<trace::TokenIndex>(second)});
    }
}

/// Opened by a person, it is compared with what it offers.
void CompareView::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    using With = CompareBar::With;
    bar_->setModel(model.get());
    start_->setModel(model.get());
    if (whyNotOffered(bar_->with(), model.get()).isEmpty())
        return;
    const std::array others{With::Sentence, With::Step, With::Model};
    bar_->setWith(
        *std::ranges::find_if(others, [&](With with) { return whyNotOffered(with, model.get()).isEmpty(); }));
}

/// B belongs to the model before, whatever it was.
void CompareView::forgetTyped() {
    bar_->setSentence({});
    choose("sentence", std::string());
    choose("branch", std::int64_t(0));
    choose("step", std::int64_t(-1));
    choose("head", std::string("same"));
    if (!context().document->second.name.empty())
        Q_EMIT intended(intents::OpenSecond{});
}

void CompareView::choose(const char* name, ChoiceValue value) {
    Q_EMIT intended(intents::Choose{"compare", name, std::move(value)});
}

void CompareView::noteIntent(const Intent& intent) {
    const auto* compared = std::get_if<intents::ComparePath>(&intent);
    if (!compared)
        return;
    Q_EMIT intended(intents::ShowSelf{.isAsked = true});
    bar_->setWith(CompareBar::With::Branch);
    choose("branch", static_cast<std::int64_t>(compared->path));
}

void CompareView::showPicture(const PictureOptions& options) {
    if (options.beside.empty())
        return;
    choose("with", std::string("sentence"));
    choose("sentence", options.beside.front());
}

QWidget* CompareView::takesKeys() const {
    if (maps_->isVisible())
        return maps_;
    // What a person types where a sentence is asked for must not be taken for keys of the window.
    return bar_->with() == CompareBar::With::Sentence ? bar_->sentenceField() : nullptr;
}

QString CompareView::whyNot(const std::string& action) const {
    const bool isOfPair = action == "more-changed" || action == "less-changed";
    return isOfPair && byChange_.empty() ? tr("No heads have been compared yet.") : QString();
}

void CompareView::act(const std::string& action) {
    if (action == "base") {
        if (!context().document->model)
            return;
        bar_->setWith(CompareBar::With::Model);
        Q_EMIT intended(intents::OpenSecond{context().document->model->property("base")});
        return;
    }
    if (action != "branches")
        return goToChanged(action == "less-changed" ? 1 : -1);
    bar_->setWith(CompareBar::With::Branch);
    bar_->startChoosing();
}

void CompareView::setPage(Page page) {
    if (page == page_)
        return;
    turnPage(page);
    setDrawerOpen(true);
}

void CompareView::setPair(const ComparedPair& pair, const PairNames& names) {
    const bool another = pair != pair_;
    pair_ = pair;
    names_ = names;
    if (another) {
        answer_.reset();
        changes_.reset();
        changedMaps_.reset();
        byChange_.clear();
        reading_.reset();
        asksSteps_.reset();
        steps_.reset();
        saidOfMaps_.clear();
        whyNoAnswer_.clear();
        saidOfHeads_ = tr("Comparing heads...");
        heads_->setContent(ChangeColumns::content({}, false));
    }
    fillHeads();
    showStrip();
    showMaps();
    showTables();
    Q_EMIT actionsChanged();
}

void CompareView::fillHeads() {
    bar_->setHeads(context().document->model.get(), pair_ ? pair_.second->model.get() : nullptr,
                   selection_->head(), parseOtherHead(shownHead_));
}

void CompareView::fillBar() {
    const auto& document = *context().document;
    bar_->setWith(shownWith(document));
    const auto sentence = chosenOr<std::string>(document, "compare", "sentence", {});
    if (std::exchange(shownSentence_, sentence) != sentence) // and not what is being typed
        bar_->setSentence(QString::fromStdString(sentence));
    bar_->setModelName(document.second.model ? QString::fromStdString(document.second.model->name)
                                             : QString());
    if (document.request)
        fillBranchesAndSteps();
    const auto head = chosenOr<std::string>(document, "compare", "head", "same");
    if (std::exchange(shownHead_, head) != head)
        fillHeads();
    const bool isAlignedOnly = chosenFlag(document, "compare", "aligned-only");
    bar_->setQuantity(shownQuantity(document));
    bar_->setAlignedOnly(isAlignedOnly);
    if (std::exchange(isAlignedOnly_, isAlignedOnly) == isAlignedOnly)
        return;
    showMaps();
    showTables();
}

void CompareView::fillBranchesAndSteps() {
    const auto& document = *context().document;
    const auto& run = *document.run;
    if (shownBranches_ != document.branches) {
        shownBranches_ = document.branches;
        QStringList branches, steps;
        for (const auto& name : shownBranches_.names)
            branches += QString::fromStdString(name);
        for (int t = 0; t < std::ssize(run.target); ++t)
            steps += tr("%1: %2").arg(t + 1).arg(queryInWords(run, trace::AttentionKind::Cross, t));
        bar_->setBranches(branches, trace::shownPath(run));
        bar_->setSteps(steps);
    }
    bar_->setBranch(shownBranch(document));
    bar_->setStep(shownOtherStep(document, selection_->step()));
}

std::optional<CompareQuestion> CompareView::question() const {
    if (!pair_)
        return std::nullopt;
    return CompareQuestion{.pair = pair_, .head = selection_->head(), .other = bar_->otherHead()};
}

/// Heads wait for the maps, which are looked at first.
std::vector<trace::Wanted> CompareView::questions() const {
    std::vector<trace::Wanted> questions;
    if (isAskingAgain_)
        return questions;
    if (const auto other = wanted(other_.question))
        questions.push_back(*other);
    const auto maps = question();
    if (!maps)
        return questions;
    questions.emplace_back(trace::Counted(*maps));
    const bool isDone = context().known->of(*maps) || context().known->refusalOf(questions.back());
    std::ranges::move(known(*maps).wanted, std::back_inserter(questions));
    if ((page() == Page::Heads || isVisible()) && isDone)
        questions.emplace_back(trace::Counted(ComparedHeads{pair_}));
    if (const auto small = stripQuestion())
        questions.emplace_back(trace::Counted(*small));
    if (const auto steps = stepsQuestion())
        questions.push_back(*steps);
    return questions;
}

std::optional<trace::Wanted> CompareView::stepsQuestion() const {
    if (page() != Page::Output || !reading_)
        return std::nullopt;
    return asksSteps_ ? trace::Counted(*asksSteps_) : trace::Counted(reading_->first);
}

/// Of what is seen in the window alone.
std::optional<ChangedMaps> CompareView::stripQuestion() const {
    if (!isVisible() || strip_->isHidden() || byChange_.empty())
        return std::nullopt;
    ChangedMaps question{.pair = pair_, .heads = {}};
    for (std::size_t i = 0; i < std::min(byChange_.size(), ChangeStrip::mostTiles); ++i)
        question.heads.emplace_back(byChange_[i].head, byChange_[i].other);
    return question;
}

/// A second model is opened to be compared with.
void CompareView::refresh() {
    const auto& second = context().document->second;
    if (std::exchange(shownSecond_, second.name) != second.name && !second.name.empty())
        choose("with", std::string("model"));
    {
        const QSignalBlocker quiet(bar_);
        fillBar();
    }
    if (isAskingAgain_)
        return;
    followOther();
    if (const auto asks = question()) {
        refreshMaps(*asks);
        if (page() == Page::Heads || isVisible())
            refreshHeads();
        if (page() == Page::Output)
            refreshSteps();
        if (const auto small = stripQuestion())
            if (const auto maps = context().known->of(*small); maps && maps != changedMaps_) {
                changedMaps_ = maps;
                strip_->setMaps(*maps);
            }
    }
    bar_->setWhyNotSwapped(whyNotSwapped());
    showBusy(false);
}

/// What takes a moment shows nothing.
void CompareView::showBusy(bool isLate) {
    const QString words = busyWords();
    if (words.isEmpty()) {
        patience_->stop();
        busy_->hide();
        return;
    }
    if (busy_->isHidden() && !isLate)
        return patience_->wait();
    busyWords_->setText(words);
    const double share = busyWith().second;
    busyShare_->setRange(0, share > 0 ? 100 : 0);
    busyShare_->setValue(std::lround(100 * share));
    busy_->adjustSize();
    const bool hasPlace = body_->currentIndex() == 0 && maps_->maps().size() > 1;
    const QPoint middle = hasPlace ? maps_->mapTo(body_, maps_->plot(1).center().toPoint())
                                   : QPoint(body_->width() / 2, body_->height() / 4);
    busy_->move(middle - busy_->rect().center());
    busy_->raise();
    busy_->show();
}

/// While A is decoded, and as long as another B of the same run is not there, what was compared stays.
void CompareView::followOther() {
    const auto& document = *context().document;
    const auto& run = document.run;
    if (run && !document.request)
        return;
    const auto before = std::pair(other_.why, other_.wayOut);
    other_ = run ? chosenOther(document, selection_->step())
                 : ChosenOther{.why = tr("Nothing is decoded yet."), .wayOut = hintForNoRun(*this)};
    const auto other = other_.steps ? run : runOf(other_.question, *context().known);
    const auto question = wanted(other_.question);
    if (other) {
        const ComparedPair pair{.first = run, .second = other, .steps = other_.steps};
        if (pair != pair_ || names_ != other_.names)
            setPair(pair, other_.names);
        return;
    }
    if (const auto refusal = question ? context().known->refusalOf(*question) : std::nullopt)
        other_.why = inWords(refusal);
    else if (question && pair_ && pair_.first == run)
        return;
    else if (question)
        other_.why = other_.doing;
    if (pair_ || before != std::pair(other_.why, other_.wayOut))
        setPair({}, {});
}

QString CompareView::busyWords() const {
    const auto [words, share] = busyWith();
    return share > 0 && !words.isEmpty()
               ? tr("%1 %2", "what is done, its share").arg(words, shareInWords(share))
               : words;
}

/// What is done for B, and its share, 0 where it is not known.
std::pair<QString, double> CompareView::busyWith() const {
    const auto& known = *context().known;
    if (const auto question = wanted(other_.question);
        question && !runOf(other_.question, known) && !known.refusalOf(*question))
        return {other_.doing, known.shareOf(*question)};
    if (context().document->second.isOpening() && bar_->with() == CompareBar::With::Model)
        return {other_.why, 0};
    if (const auto steps = stepsQuestion(); steps && !steps_ && known.isAwaited(*steps))
        return {tr("Comparing the outputs..."), known.shareOf(*steps)};
    return {saidOfMaps_, shareOfMaps_};
}

QuantityAnswer CompareView::known(const CompareQuestion& asks) const {
    const trace::Wanted question = trace::Counted(asks);
    if (const auto refusal = context().known->refusalOf(question))
        return {.whyNot = inWords(refusal)};
    return inQuantity(context(), selection_->step(), context().known->of(asks));
}

/// The maps before stay until the new ones are there, so that nothing blinks. What takes a moment says
/// nothing.
void CompareView::refreshMaps(const CompareQuestion& asks) {
    auto [answer, whyNoAnswer, wanted] = known(asks);
    const bool isDone = answer || !whyNoAnswer.isEmpty();
    wanted.emplace_back(trace::Counted(asks));
    shareOfMaps_ = 0;
    for (const auto& question : wanted)
        shareOfMaps_ = isDone ? 0 : std::max(shareOfMaps_, context().known->shareOf(question));
    saidOfMaps_ = shareOfMaps_ > 0 ? tr("Comparing the maps...") : QString();
    if (std::exchange(whyNoAnswer_, whyNoAnswer) == whyNoAnswer &&
        (answer ? answer == answer_ : whyNoAnswer.isEmpty() || !answer_))
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
        byChange_ = mostChangedFirst(*changes_);
        const bool nearest = !analysis::haveSameHeads(*pair_.first, *pair_.second);
        heads_->setContent(ChangeColumns::content(*changes_, nearest));
        Q_EMIT questionsChanged();
        Q_EMIT actionsChanged();
    }
    showStrip();
    showTitles();
    showTables();
}

const std::vector<analysis::HeadChange>& CompareView::changes() const {
    static const std::vector<analysis::HeadChange> none;
    return changes_ ? *changes_ : none;
}

void CompareView::refreshSteps() {
    const auto& known = *context().known;
    const bool isB = runOf(other_.question, known) == pair_.second; // and not the one before
    const auto reading = isB ? bothReading(*context().document, *pair_.second) : std::nullopt;
    if (reading != reading_) {
        reading_ = reading;
        asksSteps_.reset();
    }
    if (const auto first = reading_ && !asksSteps_ ? known.of(reading_->first) : nullptr)
        asksSteps_ = ComparedSteps{.first = *first,
                                   .request = reading_->second.request,
                                   .secondModel = reading_->second.secondModel};
    auto steps = asksSteps_ ? known.of(*asksSteps_) : nullptr;
    if (steps == steps_)
        return;
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
    return answer_ ? (compareCaption(*answer_, names_, isAlignedOnly_) + cellsInWords(maps_->maps()) + ' ' +
                      compareKey(*answer_, isAlignedOnly_))
                         .trimmed()
                   : QString();
}

namespace {

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

namespace {

using analysis::AlignedAxis;
using Places = std::vector<std::size_t>;

/// The first token of A at a row or column of the maps; nothing where A has none there.
std::optional<int> tokenAt(const AlignedAxis& axis, const Places& shown, std::optional<int> index) {
    if (!index || *index < 0 || std::cmp_greater_equal(*index, shown.size()))
        return std::nullopt;
    const auto& place = axis.places[shown[*index]];
    return place.first ? std::optional<int>(axis.first[*place.first].tokens.first) : std::nullopt;
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
        const std::size_t wanted = *token;
        return span.first <= wanted && wanted < span.last;
    });
    return found == shown.end() ? std::nullopt : std::optional<int>(found - shown.begin());
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
    return hasFigure() ? QString() : (whyEmpty() + ' ' + wayOutInWindow()).trimmed();
}

QString CompareView::whyEmpty() const {
    if (!pair_ || answer_)
        return pair_ ? whyNoMaps(*answer_) : other_.why;
    return whyNoAnswer_.isEmpty() ? tr("Aligning...") : whyNoAnswer_;
}

QString CompareView::wayOutInWindow() const {
    return pair_ ? QString() : other_.wayOut;
}

QString CompareView::wayOutOfCommand() const {
    if (!pair_)
        return waysToCompare(*context().document->run);
    return whyNoAnswer_.isEmpty()
               ? QStringLiteral("name a head of another kind with --head")
               : QStringLiteral("choose another quantity, such as --choose quantity=weights");
}

void CompareView::setEmptyState() {
    const QString words = (whyEmpty() + ' ' + wayOutInWindow()).trimmed();
    start_->setWords(isWorking() ? QString() : words, headOfCommonKind()); // else it is said over it
}

namespace {

/// As the heatmap of the quantity is coloured.
LinkedMap::Tone toneOf(Quantity quantity) {
    return isSigned(quantity) ? LinkedMap::Tone::Scores : LinkedMap::Tone::Weights;
}

/// Of weights it is not said.
QString withQuantity(const QString& words, const CompareAnswer& answer) {
    return answer.quantity == Quantity::Weights ? words
                                                : CompareView::tr("%1, %2", "a map or a cell, its quantity")
                                                      .arg(words, quantityName(answer.quantity));
}

} // namespace

/// Of maps that are kept what is shown is cut out; of longer ones their smaller pictures are there.
std::array<LinkedMap, 3> CompareView::mapsInSight() {
    const auto& maps = answer_->drawn();
    const bool alignedOnly = isAlignedOnly_;
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
                      .tone = i == 2 ? LinkedMap::Tone::Scores : toneOf(answer_->quantity),
                      .limit = i == 2 ? std::max(maps.largest, leastComparedScale * answer_->limit)
                                      : answer_->limit,
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
    const auto row = shownRows_.at(cell.row);
    const auto column = shownColumns_.at(cell.column);
    return answer_->pictures.empty()
               ? compareCellInWords(answer_->drawn(), row, column, placeInWords(cell))
               : compareCellInWords(comparedRow(*answer_, row), 0, column, placeInWords(cell));
}

QString CompareView::cellTip(MapCell cell) const {
    const auto row = shownRows_.at(cell.row);
    const auto column = shownColumns_.at(cell.column);
    return answer_->pictures.empty()
               ? compareCellTip(answer_->drawn(), row, column, placeInWords(cell))
               : compareCellTip(comparedRow(*answer_, row), 0, column, placeInWords(cell));
}

void CompareView::showMaps() {
    shownRows_.clear();
    shownColumns_.clear();
    const bool isAlone = !hasFigure() && isWorking();
    body_->setCurrentIndex(hasFigure() || isAlone ? 0 : 1);
    setEmptyState();
    if (!hasFigure()) {
        maps_->setTips({});
        maps_->setMaps({});
        if (isAlone)
            showFirstAlone();
        showTitles();
        showKey();
        return;
    }
    auto maps = mapsInSight();
    maps[0].title = tr("A: %1").arg(address(answer_->question.head));
    maps[1].title = tr("B: %1").arg(address(*answer_->other));
    maps[2].title = tr("B \u2212 A");
    for (LinkedMap& map : maps)
        map.title = withQuantity(map.title, *answer_);
    maps_->setWords(
        [this](trace::AttentionKind, MapCell cell) { return cellInWords(cell); },
        [rowLabels = pick(labels(true), shownRows_),
         columnLabels = pick(labels(false), shownColumns_)](trace::AttentionKind, bool isQuery, int index) {
            return quoted((isQuery ? rowLabels : columnLabels).at(index));
        });
    maps_->setTips([this](trace::AttentionKind, MapCell cell) { return cellTip(cell); });
    if (!haveCommonAxes(*answer_)) {
        maps[2].values = {};
        maps[2].words = tr("No tokens of A and B match, so no difference can be shown.");
    }
    maps_->setMaps({std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end())});
    showTitles();
    showKey();
    showStep();
    lightMaps();
}

bool CompareView::isWorking() const {
    if (pair_)
        return !answer_ && whyNoAnswer_.isEmpty();
    const auto question = wanted(other_.question);
    return question && !context().known->refusalOf(*question);
}

void CompareView::showFirstAlone() {
    const auto& run = context().document->run;
    const auto& head = selection_->head();
    const auto* record = run ? run->record(head.site) : nullptr;
    if (!record || record->isRecomputed() || head.head >= record->weights.heads())
        return body_->setCurrentIndex(1);
    const MapOptions options{.quantity = shownQuantity(*context().document)};
    const ShownMap own = shownMap(*run, nullptr, head, options);
    LinkedMap first{.title = tr("A: %1").arg(address(head)),
                    .kind = head.site.kind,
                    .tone = toneOf(options.quantity),
                    .values = own.empty() ? trace::Matrix(record->queries(), record->keys()) : own.values,
                    .mask = own.mask,
                    .rowLabels = tokenLabels(run->queryTokens(head.site.kind), record->queries()),
                    .columnLabels = tokenLabels(run->keyTokens(head.site.kind), record->keys())};
    if (options.quantity != Quantity::Weights)
        first.limit = mapTones(own, options).limit;
    LinkedMap empty = first;
    empty.title.clear();
    empty.values = trace::Matrix(record->queries(), record->keys());
    empty.mask = {};
    maps_->setMaps({std::move(first), empty, empty});
}

void CompareView::showStep() {
    std::optional<int> row;
    if (answer_ && !shownRows_.empty() && !pair_.steps)
        if (const auto kind = answer_->question.head.site.kind; kind != trace::AttentionKind::EncoderSelf)
            row = indexOf(answer_->alignment.queriesOf(kind), shownRows_, selection_->step());
    maps_->setStepRow(row);
}

void CompareView::showTitles() {
    std::array<CompareTitles::Title, 3> titles;
    if (hasFigure()) {
        auto texts = comparedTexts(*answer_, names_);
        for (std::size_t i = 0; i < texts.size(); ++i)
            titles[i] = {.name = i == 0 ? tr("A") : tr("B"),
                         .result = classInWords(i == 0 ? *pair_.first : *pair_.second),
                         .words = std::move(texts[i]),
                         .note = {},
                         .place = {}};
        titles[2] = {.name = tr("B \u2212 A"),
                     .result = {},
                     .words = {},
                     .note = tr("orange: more in B"),
                     .place = {}};
        if (const auto rank = rankOfHead())
            titles[2].place =
                (answer_->quantity == Quantity::Weights ? tr("change: rank %1 of %2")
                                                        : tr("change of weights: rank %1 of %2"))
                    .arg(*rank + 1)
                    .arg(byChange_.size());
    } else if (!maps_->isEmpty()) {
        titles[0].name = tr("A");
        titles[1].name = tr("B");
    }
    titles_->setTitles(std::move(titles));
}

void CompareView::showStrip() {
    const auto count = static_cast<qsizetype>(std::min(byChange_.size(), ChangeStrip::mostTiles));
    strip_->setChanges({byChange_.begin(), byChange_.begin() + count}, byChange_.size());
    if (changedMaps_)
        strip_->setMaps(*changedMaps_);
    strip_->setWords(!pair_     ? QString()
                     : changes_ ? tr("No head has rows that can be compared.")
                                : saidOfHeads_);
    strip_->setSelected(selection_->head());
}

/// In one line; its tooltip is the whole caption.
void CompareView::showKey() {
    key_->setText(hasFigure() ? compareKeyInLine(*answer_, isAlignedOnly_) : QString());
    key_->setToolTip(hasFigure() ? plainToolTip(caption()) : QString());
}

/// Of a kind that both have, where the selected head's is of one that B lacks.
std::optional<trace::HeadAddress> CompareView::headOfCommonKind() const {
    using trace::AttentionKind;
    if (!pair_ || !answer_ || hasFigure() || pair_.steps ||
        pair_.second->record({answer_->question.head.site.kind, 0}))
        return std::nullopt;
    for (const auto kind : {AttentionKind::Cross, AttentionKind::DecoderSelf, AttentionKind::EncoderSelf})
        if (pair_.first->record({kind, 0}) && pair_.second->record({kind, 0}))
            return trace::HeadAddress{{kind, 0}, 0};
    return std::nullopt;
}

QString CompareView::placeInWords(MapCell cell) const {
    const auto row = shownRows_.at(cell.row);
    const auto column = shownColumns_.at(cell.column);
    return withQuantity(
        tr("%1 \u2192 %2").arg(quoted(labels(true).at(row)), quoted(labels(false).at(column))), *answer_);
}

void CompareView::showTables() {
    switch (page()) {
    case Page::Heads:
        showHeads();
        break;
    case Page::Rows:
        showRows();
        break;
    case Page::Keys:
        showKeys();
        break;
    case Page::Output:
        return showOutput();
    }
    if (answer_ && answer_->quantity != Quantity::Weights)
        pageWords_->setText(pageWords_->text() + ' ' + tr("These numbers refer to the weights."));
}

void CompareView::showHeads() {
    const std::size_t count = changes().size();
    if (!pair_)
        pageWords_->setText(tr("Nothing to compare yet."));
    else if (!changes_)
        pageWords_->setText(saidOfHeads_);
    else if (count == 0)
        pageWords_->setText(tr("No head has rows that can be compared."));
    else if (analysis::haveSameHeads(*pair_.first, *pair_.second))
        pageWords_->setText(
            tr("All heads (%1), each compared with the same head of B: mean divergence (Jensen-Shannon, base "
               "2, 0 to 1) of aligned rows, largest first. Unmatched: the weight on unmatched keys, which "
               "count as one key; where it is large, the comparison covers little.")
                .arg(count));
    else
        pageWords_->setText(
            tr("The models have different heads: each head of A (%1) is compared with the nearest head of "
               "its kind in B, by mean divergence (Jensen-Shannon, base 2, 0 to 1) of aligned rows.")
                .arg(count));
}

void CompareView::showRows() {
    if (!hasFigure()) {
        rowTable_->setColumns({});
        pageWords_->setText(tr("No rows can be compared."));
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
         column(tr("Divergence"), tr("Jensen-Shannon divergence of the two rows, base 2, 0 to 1"), shownRows_,
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
        pageWords_->setText(tr("No keys can be compared."));
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
    const auto places = shownPlaces(axis.places, isAlignedOnly_);
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
    if (steps_ && !steps_->empty())
        columns.push_back(column(
            tr("KL(A \u2016 B)"),
            tr("Divergence of the next-token distributions at this step, with A's output forced on B, in "
               "nats"),
            places,
            [&](std::size_t place) {
                const auto& at = axis.places[place].first;
                return at && *at < steps_->size() ? std::optional((*steps_)[*at].divergence) : std::nullopt;
            },
            true));
    outputTable_->setColumns(std::move(columns));
    pageWords_->setText(saidInWords(answer_->said) + ' ' + stepsInWords(steps_ ? steps_->size() : 0));
}

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
    mirroring_ = true;
    selection_->setHover(toWindow(rows_->hover()));
    const auto pinned = toWindow(rows_->pinned());
    if (pinned.isEmpty())
        selection_->clearPinned();
    else if (pinned != selection_->pinned())
        selection_->togglePinned(pinned);
    mirroring_ = false;
    Q_EMIT cellDescribed(maps_->focusInWords()); // after what other views say of their cells
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

bool CompareView::hasFigure() const {
    return answer_ && !answer_->maps.empty();
}

/// Heads that are still being compared are no table yet.
bool CompareView::hasTable() const {
    const auto* table = static_cast<const ColumnTable*>(stack_->currentWidget());
    return !table->rows().empty() && (page() != Page::Heads || changes_);
}

bool CompareView::isInUsualOrder() const {
    return page() != Page::Heads ||
           std::ranges::is_sorted(heads_->rows(), std::ranges::greater(),
                                  [this](int row) { return changes()[row].divergence; });
}

TableFigure CompareView::tableFigure() const {
    TableFigure figure = static_cast<const ColumnTable*>(stack_->currentWidget())->figure();
    figure.caption = pageWords_->text();
    figure.font = font();
    return figure;
}

std::optional<FigureBlocks> CompareView::figureBlocks() const {
    constexpr QSizeF leastMaps(1096, 448);
    if (!hasFigure())
        return std::nullopt;
    auto figure = maps_->figure(caption(), leastMaps);
    if (hasTable()) {
        figure.picture = stacked({figure.picture, tableFigure().block()});
        figure.caption += ' ' + pageWords_->text();
    }
    return figure;
}

/// Of A, which is what is decoded; all that B has of its own is there.
void CompareView::setRowsDecoded(std::optional<std::size_t> rows) {
    using trace::AttentionKind;
    AnimatedFigure::setRowsDecoded(rows);
    maps_->setDecoded([this](AttentionKind kind, bool isQuery, int token) {
        const bool isOfTarget =
            isQuery ? kind != AttentionKind::EncoderSelf : kind == AttentionKind::DecoderSelf;
        const auto place = (isQuery ? shownRows_ : shownColumns_).at(token);
        const auto& axis = isQuery ? answer_->alignment.queriesOf(kind) : answer_->alignment.keysOf(kind);
        const auto unit = axis.places.at(place).first;
        return !isOfTarget || !unit || isDecoded(axis.first.at(*unit).tokens.first);
    });
}

FigureText CompareView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = compareTitle(*answer_),
            .caption = hasTable() ? caption() + ' ' + tableFigure().words() : caption(),
            .provenance = provenance(*pair_.first) + QStringLiteral(" | ") + provenance(*pair_.second),
            .head = listedHeads({answer_->question.head, answer_->other.value_or(answer_->question.head)}),
            .quantity = quantityName(answer_->quantity)};
}

namespace {

/// What each of both has at the places of an axis; empty where it has nothing.
struct Pieces {
    QStringList first;
    QStringList second;

    Pieces(const analysis::AlignedAxis& axis, const std::vector<trace::Token>& ofFirst,
           const std::vector<trace::Token>& ofSecond, const std::vector<std::size_t>& shown) {
        const auto piece = [](const std::vector<trace::Token>& tokens,
                              const std::vector<analysis::AxisUnit>& units, std::optional<std::size_t> at) {
            return at ? unitLabel(tokens, units[*at]).full() : QString();
        };
        for (const std::size_t place : shown) {
            first += piece(ofFirst, axis.first, axis.places[place].first);
            second += piece(ofSecond, axis.second, axis.places[place].second);
        }
    }
    /// Of the difference: the piece of both, or one beside the other.
    QStringList both() const {
        const auto orNothing = [](const QString& piece) {
            return piece.isEmpty() ? QString(QChar(0x2013)) : piece;
        };
        QStringList names;
        for (qsizetype i = 0; i < first.size(); ++i)
            names += first[i] == second[i]
                         ? first[i]
                         : orNothing(first[i]) + QStringLiteral(" | ") + orNothing(second[i]);
        return names;
    }
    /// Of one of the two maps: its own pieces, and that of both where it has nothing.
    QStringList namesOf(const QStringList& own) const {
        QStringList names = both();
        for (qsizetype i = 0; i < own.size(); ++i)
            if (!own[i].isEmpty())
                names[i] = own[i];
        return names;
    }
};

trace::DataAxis named(const char* name, const QStringList& pieces, int tokensACell) {
    trace::DataAxis axis{.name = name};
    for (qsizetype i = 0; i < pieces.size(); i += tokensACell)
        axis.labels.push_back(pieces[i].toStdString());
    return axis;
}

/// What `value` gives for each place, and no number where it gives nothing.
template <class Value>
trace::DataColumn numbersAt(const char* title, const std::vector<std::size_t>& places, Value value) {
    std::vector<double> numbers;
    for (const std::size_t place : places)
        numbers.push_back(std::optional<double>(value(place)).value_or(noNumber));
    return dataColumn(title, std::move(numbers));
}

/// In the order in which the table is sorted.
trace::DataTable headsOf(const std::vector<analysis::HeadChange>& changes, const std::vector<int>& order) {
    QStringList heads, others;
    std::vector<double> divergence, largest, entropy, firstOutside, secondOutside, rows;
    for (const int row : order) {
        const auto& change = changes[row];
        heads += address(change.head);
        others += address(change.other);
        divergence.push_back(change.divergence);
        largest.push_back(change.largest);
        entropy.push_back(change.entropyChange);
        firstOutside.push_back(change.firstOutside);
        secondOutside.push_back(change.secondOutside);
        rows.push_back(static_cast<double>(change.rows));
    }
    return {.name = "heads",
            .columns = {dataColumn("head", heads), dataColumn("head_in_b", others),
                        dataColumn("divergence", divergence), dataColumn("largest_change", largest),
                        dataColumn("entropy_change_bits", entropy), dataColumn("outside_a", firstOutside),
                        dataColumn("outside_b", secondOutside), dataColumn("rows", rows)}};
}

trace::DataTable rowsOf(const analysis::AlignedMaps& maps, const Pieces& pieces,
                        const std::vector<std::size_t>& shown) {
    using Row = analysis::RowComparison;
    const auto numbers = [&](const char* title, double Row::*value) {
        return numbersAt(title, shown, [&](std::size_t row) {
            const auto& compared = maps.rowComparisons[row];
            return compared ? std::optional((*compared).*value) : std::nullopt;
        });
    };
    return {.name = "rows",
            .columns = {dataColumn("row_a", pieces.first), dataColumn("row_b", pieces.second),
                        numbers("divergence", &Row::divergence), numbers("outside_a", &Row::firstOutside),
                        numbers("outside_b", &Row::secondOutside),
                        numbers("entropy_a_bits", &Row::firstEntropy),
                        numbers("entropy_b_bits", &Row::secondEntropy)}};
}

trace::DataTable keysOf(const analysis::AlignedMaps& maps, const Pieces& pieces,
                        const std::vector<std::size_t>& shown) {
    const auto& first = maps.firstReceived;
    const auto& second = maps.secondReceived;
    return {.name = "keys",
            .columns = {dataColumn("key_a", pieces.first), dataColumn("key_b", pieces.second),
                        numbersAt("received_a", shown, [&](std::size_t key) { return first[key]; }),
                        numbersAt("received_b", shown, [&](std::size_t key) { return second[key]; })}};
}

trace::DataTable saidOf(const analysis::SaidComparison& said,
                        const std::vector<analysis::StepComparison>& steps,
                        const std::vector<std::size_t>& shown) {
    const auto& [first, second, axis] = said;
    const auto probability = [&](const analysis::SaidOutput& output,
                                 const std::vector<analysis::AxisUnit>& units,
                                 std::optional<std::size_t> at) {
        return at ? std::optional(analysis::logProbabilityOf(output, units[*at])) : std::nullopt;
    };
    const Pieces pieces(axis, first.tokens, second.tokens, shown);
    trace::DataTable table{
        .name = "output",
        .columns = {
            dataColumn("token_a", pieces.first), dataColumn("token_b", pieces.second),
            numbersAt("log_probability_a", shown,
                      [&](std::size_t at) { return probability(first, axis.first, axis.places[at].first); }),
            numbersAt("log_probability_b", shown, [&](std::size_t at) {
                return probability(second, axis.second, axis.places[at].second);
            })}};
    if (!steps.empty())
        table.columns.push_back(numbersAt("divergence_nats", shown, [&](std::size_t place) {
            const auto& at = axis.places[place].first;
            return at && *at < steps.size() ? std::optional(steps[*at].divergence) : std::nullopt;
        }));
    return table;
}

} // namespace

/// Of what is computed only when its page is looked at, as much as there is.
trace::FigureData CompareView::figureData() const {
    trace::FigureData data;
    if (!hasFigure())
        return data;
    addLinkedMaps(data, maps_->maps());
    const auto kind = answer_->question.head.site.kind;
    const trace::Run &first = *pair_.first, &second = *pair_.second;
    const Pieces rows(answer_->alignment.queriesOf(kind), first.queryTokens(kind), second.queryTokens(kind),
                      shownRows_);
    const Pieces keys(answer_->alignment.keysOf(kind), first.keyTokens(kind), second.keyTokens(kind),
                      shownColumns_);
    const std::array down{rows.namesOf(rows.first), rows.namesOf(rows.second), rows.both()};
    const std::array across{keys.namesOf(keys.first), keys.namesOf(keys.second), keys.both()};
    for (std::size_t i = 0; i < data.arrays.size(); ++i) {
        const int together = maps_->maps()[i].tokensACell;
        data.arrays[i].axes = {named("query", down[i], together), named("key", across[i], together)};
    }
    if (changes_)
        data.tables.push_back(headsOf(*changes_, heads_->rows()));
    data.tables.push_back(rowsOf(answer_->maps, rows, shownRows_));
    data.tables.push_back(keysOf(answer_->maps, keys, shownColumns_));
    data.tables.push_back(saidOf(answer_->said, steps_ ? *steps_ : ComparedSteps::Value(),
                                 shownPlaces(answer_->said.axis.places, isAlignedOnly_)));
    std::erase_if(data.tables, [](const trace::DataTable& table) { return table.rows() == 0; });
    return data;
}

std::optional<PictureOptions> CompareView::picture(PictureOptions options) const {
    return ofView(std::move(options), "compare", pageName("compare", static_cast<int>(page())));
}

bool CompareView::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    // What B is made of, and nothing that it could be made of instead. Branches are called by their
    // beginnings, unless a person called them something else; another order of the heads cannot be said.
    if (!isInUsualOrder())
        return false;
    const auto with = chosenValue(chosen, "compare", "with");
    if (!with)
        return true;
    for (const char* other : {"sentence", "model", "step", "branch"})
        if (*with != ChoiceValue(std::string(other)))
            picture.choices.erase(other);
    if (*with != ChoiceValue(std::string("branch")))
        return true;
    const auto& document = *context().document;
    const std::int64_t branch = shownBranch(document);
    if (const auto& run = document.run) {
        const auto shown = trace::shownPath(*run);
        picture.choices[branchesChoice] = trace::otherBranches(*run, shown.value_or(run->paths.size()));
        picture.choices["branch"] = shown && std::cmp_greater(branch, *shown) ? branch - 1 : branch;
    }
    return std::ranges::all_of(document.branches.given, &std::string::empty);
}

QStringList CompareView::nameParts(const trace::HeadAddress& head, int) const {
    return {address(head)};
}

void CompareView::addChoices(ViewChoices& choices) {
    const auto kept = [this](const char* name) {
        return [this, name](const auto& value) { choose(name, value); };
    };
    choices.add(
        "compare", "model", [this] { return ChoiceValue(context().document->second.name); },
        [this](const ChoiceValue& model) {
            Q_EMIT intended(intents::OpenSecond{std::get<std::string>(model)});
        });
    choices.addPage("compare", this);
    choices.addWord(
        "compare", "with", [this] { return static_cast<int>(shownWith(*context().document)); },
        [this](int with) { Q_EMIT intended(chooseWord("compare", "with", with)); });
    choices.add(
        "compare", "sentence",
        [this] { return ChoiceValue(chosenOr<std::string>(*context().document, "compare", "sentence", {})); },
        kept("sentence"));
    choices.add(
        "compare", "branch", [this] { return ChoiceValue(std::int64_t(shownBranch(*context().document))); },
        kept("branch"));
    choices.add(
        "compare", "step",
        [this] { return ChoiceValue(std::int64_t(shownOtherStep(*context().document, selection_->step()))); },
        kept("step"));
    choices.add(
        "compare", "head", [this] { return ChoiceValue(toString(bar_->otherHead())); }, kept("head"));
}

View* views::makers::compare(Selection* selection, QWidget* parent) {
    return new CompareView(selection, parent);
}

} // namespace headscope::widgets

#include "widgets/views/head_table/head_table.h"

#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/head_table/head_columns.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/statistic_words.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double firstLeastWeight = 0.1;
enum HeadTableScope { SentenceScope, CorpusScope };

QLabel* plainLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

QString fromHereToThere(const trace::Run& run, const WatchedCell& cell) {
    const auto& queries = run.queryTokens(cell.kind);
    return HeadTable::tr("from %1 to %2")
        .arg(cell.query < queries.size() ? quoted(tokenLabel(queries, cell.query))
                                         : QString::number(cell.query),
             keyInWords(run, cell.kind, static_cast<int>(cell.key)));
}

View* views::makers::head_table(Selection* selection, QWidget* parent) {
    return new HeadTable(selection, parent);
}

HeadTable::HeadTable(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), words_(new QLineEdit(this)), kind_(new QComboBox(this)),
      scope_(new QComboBox(this)), count_(plainLabel(this)), cell_(wrappedLabel(this)),
      leastWeight_(new QDoubleSpinBox(this)), cellBar_(buildCellBar()), hint_(wrappedLabel(this)),
      nearest_(wrappedLabel(this)), view_(new ColumnTable(this)), caption_(wrappedLabel(this)) {
    setAccessibleName(tr("Head table"));
    hint_->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::s, space::s, space::s, space::s);
    column->setSpacing(space::s);
    column->addWidget(buildSearch());
    column->addWidget(cellBar_);
    column->addWidget(hint_, 1);
    column->addWidget(nearest_);
    column->addWidget(view_, 1);
    column->addWidget(caption_);
    for (QLabel* label : {caption_, count_})
        label->setForegroundRole(QPalette::PlaceholderText);
    view_->setAccessibleName(tr("Heads and their statistics"));
    view_->setSortable(HeadColumns::Head, Qt::AscendingOrder);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->followHeads(selection);
    connectChoices();
    connect(selection, &Selection::headChanged, this, &View::actionsChanged);
    connect(selection, &Selection::focusChanged, this, &View::actionsChanged);
    list();
}

QWidget* HeadTable::buildSearch() {
    auto* bar = new QWidget(this);
    words_->setObjectName("search");
    kind_->setObjectName("kind");
    words_->setPlaceholderText(tr("Search heads"));
    words_->setAccessibleName(tr("Search heads"));
    words_->setClearButtonEnabled(true);
    words_->setMinimumWidth(14 * fontMetrics().averageCharWidth());
    words_->setToolTip(searchTip());
    kind_->setAccessibleName(tr("Kinds of attention listed"));
    kind_->addItem(tr("all kinds"));
    for (const auto kind : trace::attentionKinds)
        kind_->addItem(kindTitle(kind));
    for (QComboBox* box : {kind_, scope_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }
    scope_->setAccessibleName(tr("Sentences of the statistics"));
    scope_->addItem(tr("this sentence"));
    scope_->setToolTip(tr("The shown sentence, or the last corpus"));
    scope_->hide();
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(words_, 1);
    row->addWidget(kind_);
    row->addWidget(scope_);
    row->addWidget(count_);
    return bar;
}

/// Of the heads that look from here to there.
QWidget* HeadTable::buildCellBar() {
    auto* bar = new QWidget(this);
    leastWeight_->setObjectName("least-weight");
    leastWeight_->setAccessibleName(tr("Minimum weight of the chosen cell"));
    leastWeight_->setRange(0, 1);
    leastWeight_->setSingleStep(0.05);
    leastWeight_->setDecimals(2);
    leastWeight_->setValue(firstLeastWeight);
    auto* clear = new QToolButton(bar);
    clear->setText(tr("All Heads"));
    clear->setToolTip(tr("List all heads again"));
    connect(clear, &QToolButton::clicked, this, [this] { setCell(std::nullopt); });
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(cell_, 1);
    row->addWidget(leastWeight_);
    row->addWidget(clear);
    bar->hide();
    return bar;
}

void HeadTable::connectChoices() {
    connect(words_, &QLineEdit::textChanged, this, [this](const QString& words) {
        filter_.setWords(words);
        list();
    });
    connect(words_, &QLineEdit::textEdited, this, &HeadTable::selectOnlyHit,
            Qt::QueuedConnection); // once it is filtered
    connect(kind_, &QComboBox::currentIndexChanged, this, [this](int index) {
        filter_.setKind(index > 0 ? std::optional(trace::attentionKinds[static_cast<std::size_t>(index - 1)])
                                  : std::nullopt);
        list();
    });
    connect(scope_, &QComboBox::currentIndexChanged, this, &HeadTable::showListed);
    connect(scope_, &QComboBox::activated, this,
            [this](int scope) { Q_EMIT intended(intents::ListSentences{scope == CorpusScope}); });
    connect(leastWeight_, &QDoubleSpinBox::valueChanged, this, [this](double weight) {
        filter_.setLeastWeight(weight);
        list();
    });
    for (const auto opens : {&ColumnTable::rowEntered, &ColumnTable::rowDoubleClicked})
        connect(view_, opens, this, [this] { Q_EMIT intended(intents::OpenHead()); });
    filter_.setLeastWeight(firstLeastWeight);
}

void HeadTable::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    known_.setRun(run_);
    if (known_.cell()) // its tokens may be others
        setCell(std::nullopt);
    list();
}

std::vector<trace::Wanted> HeadTable::questions() const {
    auto questions = statisticsQuestions(*context().document);
    for (const auto& more : {twinStatisticsQuestions(context()), corpusQuestions(*context().document)})
        std::ranges::copy(more, std::back_inserter(questions));
    return questions;
}

void HeadTable::refresh() {
    auto statistics = shownStatistics(context(), knownOfShown_);
    if (std::exchange(knownOfShown_, statistics) != statistics)
        setStatistics(statistics ? *statistics : Heads());
    auto twin = twinStatistics(context());
    if (std::exchange(knownOfTwin_, twin) != twin)
        setTwin(twin ? *twin : Heads());
    const auto& document = *context().document;
    auto corpus = shownCorpus(context(), knownOfCorpus_);
    const bool hasRead = corpus && hasTwinRead(document, *corpus);
    const bool isOther = corpus != knownOfCorpus_;
    if (isOther || hasRead != twinHasRead_)
        setTwinOfCorpus(hasRead ? corpus->twinHeads : Heads());
    if (isOther)
        setCorpus(corpus ? corpus->heads : Heads());
    knownOfCorpus_ = corpus;
    twinHasRead_ = hasRead;
    if (corpus)
        scope_->setCurrentIndex(document.corpus.areListed ? CorpusScope : SentenceScope);
    auto [run, importance, isEarlier] = shownImportance(context());
    if (importance && !importance->complete)
        importance.reset();
    if (std::exchange(knownImportance_, importance) != importance || isEarlier != earlierImportance_)
        setImportance(importance ? analysis::headScores(*importance, std::nullopt)
                                 : std::vector<analysis::HeadScore>(),
                      isEarlier);
}

/// Of a picture that is to show what a trace may not hold.
std::optional<View::Lacking> HeadTable::lacks() const {
    return lackingOfHeads(context());
}

void HeadTable::setStatistics(Heads heads) {
    shown_ = std::move(heads);
    if (!showsCorpus())
        showListed();
}

void HeadTable::setCorpus(Heads heads) {
    corpus_ = std::move(heads);
    scope_->setVisible(!corpus_.empty());
    while (scope_->count() > 1)
        scope_->removeItem(CorpusScope);
    if (!corpus_.empty()) {
        scope_->addItem(corpus_.front().sentences == 1 ? tr("one other sentence")
                                                       : tr("%1 sentences").arg(corpus_.front().sentences));
        scope_->setCurrentIndex(CorpusScope);
    }
    showListed();
}

bool HeadTable::showsCorpus() const {
    return !corpus_.empty() && scope_->currentIndex() == CorpusScope;
}

void HeadTable::showListed() {
    known_.setStatistics(showsCorpus() ? corpus_ : shown_);
    known_.setTwin(showsCorpus() ? twinOfCorpus_ : twin_);
    list();
}

void HeadTable::setTwin(Heads heads) {
    twin_ = std::move(heads);
    if (!showsCorpus())
        showListed();
}

void HeadTable::setTwinOfCorpus(Heads heads) {
    twinOfCorpus_ = std::move(heads);
    if (showsCorpus())
        showListed();
}

void HeadTable::setImportance(const std::vector<analysis::HeadScore>& scores, bool earlier) {
    earlierImportance_ = earlier;
    known_.setImportance(scores);
    list();
}

void HeadTable::setCell(std::optional<WatchedCell> cell) {
    known_.setCell(cell);
    filter_.setLeastWeight(leastWeight_->value());
    cellBar_->setVisible(cell.has_value());
    if (cell && run_)
        cell_->setText(tr("Heads whose attention %1 is at least").arg(fromHereToThere(*run_, *cell)));
    view_->sortByColumn(cell ? HeadColumns::Here : HeadColumns::Head,
                        cell ? Qt::DescendingOrder : Qt::AscendingOrder);
    list();
    if (cell) // the best, not the selected one, also where the table comes into sight only now
        QMetaObject::invokeMethod(view_, &QTableView::scrollToTop, Qt::QueuedConnection);
}

void HeadTable::list() {
    listed_ = filter_.listed(known_);
    view_->setContent(HeadColumns::content(known_, listed_, filter_.conditions()));
    showState();
}

void HeadTable::showState() {
    const bool isKnown = known_.count() > 0;
    const bool isEmpty = listed_.places.empty();
    const QString why = isKnown ? listed_.whyNone : QString();
    nearest_->setText(isEmpty ? QString() : why);
    nearest_->setVisible(!nearest_->text().isEmpty());
    hint_->setText(
        !isKnown && !run_
            ? tr("Lists every head with its statistics: distance, spread and targets of attention.\n%1")
                  .arg(hintForNoRun(*this))
        : !isKnown                  ? tr("The statistics are being computed.")
        : isEmpty && !why.isEmpty() ? tr("%1\nSearch for something else.", "why the list is empty").arg(why)
        : leastWeight_->isVisibleTo(this)
            ? tr("No head matches: change the search or lower the minimum weight.")
            : tr("No head matches: change the search."));
    hint_->setVisible(isEmpty);
    view_->setVisible(!isEmpty);
    caption_->setVisible(isKnown);
    caption_->setText(caption());
    count_->setText(isKnown ? tr("%1 of %2").arg(listed_.places.size()).arg(known_.count()) : QString());
}

/// Typed by a person: a session that is opened has its own selected head.
void HeadTable::selectOnlyHit() {
    if (listed_.places.size() == 1 && nearest_->text().isEmpty())
        selection_->setHead(known_.head(listed_.places.front()));
}

QString HeadTable::caption() const {
    if (known_.count() == 0)
        return {};
    QString words =
        tr("Statistics of every head %1: means over rows%2. Entropy in bits, distance in tokens, importance "
           "%3, monotony from −1 to 1, all others as shares of the weight; a dash means not applicable.")
            .arg(scopeText(known_.statistics().front()),
                 showsCorpus() ? tr(", then over sentences") : QString(),
                 known_.run() && known_.run()->answerKind() == trace::AnswerKind::Numbers
                     ? tr("in units of the predicted number")
                     : tr("in nats"));
    const auto first = known_.statistics().front().head;
    if (known_.twinOf(first))
        words += ' ' + (showsCorpus() ? tr("Tooltips give the random twin's numbers for the same sentences "
                                           "and the model's outputs.")
                                      : tr("Tooltips give the random twin's numbers for the same output."));
    if (earlierImportance_)
        words += ' ' + tr("Importance was measured before the model was changed.");
    if (showsCorpus() && known_.importanceOf(first))
        words += ' ' + tr("Importance refers to the shown sentence only.");
    return words;
}

void HeadTable::act(const std::string&) {
    setCell(pinnedCell());
}

QString HeadTable::whyNot(const std::string& action) const {
    return action.empty() || (context().document->run && pinnedCell())
               ? QString()
               : tr("No cell is pinned: click one in a map.");
}

/// The pinned cell, if maps of the selected head's kind have it.
std::optional<WatchedCell> HeadTable::pinnedCell() const {
    const auto kind = selection_->head().site.kind;
    const auto query = selection_->pinned().query(kind);
    const auto key = selection_->pinned().key(kind);
    if (!query || !key)
        return std::nullopt;
    return WatchedCell{
        .kind = kind, .query = static_cast<std::size_t>(*query), .key = static_cast<std::size_t>(*key)};
}

void HeadTable::addTo(QMenu& menu, const PointedAt& pointed) {
    if (!run_ || !pointed.cell)
        return;
    menu.addSeparator();
    const WatchedCell cell{
        .kind = pointed.head.site.kind, .query = pointed.cell->query, .key = pointed.cell->key};
    const QString words = fromHereToThere(*run_, cell);
    menu.addAction(tr("Find Heads with Attention %1").arg(words).replace('&', "&&"), this, [this, cell] {
        setCell(cell);
        Q_EMIT intended(intents::ShowSelf{.isAsked = true});
    });
}

std::optional<PointedAt> HeadTable::pointedAt(QPoint position) const {
    return view_->pointedAt(position, this);
}

QWidget* HeadTable::takesKeys() const {
    return words_;
}

bool HeadTable::findHeads(const QString& words) {
    words_->setText(words);
    return true;
}

void HeadTable::forgetTyped() {
    words_->clear();
    kind_->setCurrentIndex(0);
}

QSize HeadTable::minimumSizeHint() const {
    return {40 * fontMetrics().averageCharWidth(), 7 * fontMetrics().height()};
}

bool HeadTable::hasFigure() const {
    return !listed_.places.empty();
}

TableFigure HeadTable::figure() const {
    TableFigure figure = view_->figure();
    figure.caption = figureText().caption;
    figure.font = font();
    figure.parts = figureParts();
    return figure;
}

void HeadTable::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (hasFigure())
        figure().draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

FigureText HeadTable::figureText() const {
    if (!hasFigure())
        return {};
    const QString cell = known_.cell() ? cell_->text() + ' ' + leastWeight_->text() + ". " : QString();
    return {.title = tr("Head table"),
            .caption = cell + caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .quantity = tr("statistics")};
}

QSize HeadTable::figureSize() const {
    return hasFigure() ? figure().size() : FigureSource::figureSize();
}

trace::FigureData HeadTable::figureData() const {
    if (!hasFigure())
        return {};
    QStringList heads, roles;
    std::vector<double> here, importance;
    std::vector<std::vector<double>> statistics(analysis::statisticCount);
    auto uniform = statistics, twin = statistics;
    bool hasTwin = false;
    for (const int place : view_->rows()) {
        const auto head = known_.head(place);
        heads += address(head);
        roles += known_.roles(place);
        here.push_back(known_.weightAtCell(head).value_or(noNumber));
        importance.push_back(known_.importanceOf(head).value_or(noNumber));
        const auto* ofTwin = known_.twinOf(head);
        hasTwin = hasTwin || ofTwin;
        for (const auto statistic : analysis::allStatistics()) {
            const auto column = static_cast<std::size_t>(statistic);
            statistics[column].push_back(known_.of(head)->values[statistic].value_or(noNumber));
            uniform[column].push_back(known_.of(head)->uniform[statistic].value_or(noNumber));
            twin[column].push_back(ofTwin ? ofTwin->values[statistic].value_or(noNumber) : noNumber);
        }
    }
    trace::DataTable table{.name = "heads",
                           .columns = {dataColumn("head", heads), dataColumn("role", roles)}};
    if (known_.cell())
        table.columns.push_back(dataColumn("weight_at_cell", here));
    table.columns.push_back(dataColumn("importance", importance));
    const auto add = [&](const std::vector<std::vector<double>>& numbers, const char* of) {
        for (const auto statistic : analysis::allStatistics())
            table.columns.push_back(dataColumn(std::string(analysis::name(statistic)) + of,
                                               numbers[static_cast<std::size_t>(statistic)]));
    };
    add(statistics, "");
    add(uniform, "_uniform");
    if (hasTwin)
        add(twin, "_twin");
    return {.tables = {std::move(table)}};
}

std::optional<PictureOptions> HeadTable::picture(PictureOptions options) const {
    return ofView(std::move(options), "head-table");
}

bool HeadTable::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    const auto& heads = known_.statistics();
    const auto any = [&](auto known) {
        return std::ranges::any_of(heads, known, &analysis::HeadStatistics::head);
    };
    picture.choices.erase("twin-seed");
    picture.choices.erase("twin");
    if (any([&](const auto& head) { return known_.twinOf(head) != nullptr; })) {
        picture.choices["twin"] = true;
        sayTwin(picture, chosen);
    }
    for (const char* choice : {"ablation", "ablation-sentence"})
        picture.choices.erase(choice);
    if (any([&](const auto& head) { return known_.importanceOf(head).has_value(); })) {
        picture.choices["importance"] = true;
        sayAblation(picture, chosen);
    }
    return !showsCorpus(); // of many sentences, nothing says which
}

namespace {

/// "cross 3 5": the kind of attention, query and key; empty where all heads are listed.
QString cellOf(const KnownHeads& heads) {
    const auto& cell = heads.cell();
    const auto kind = cell ? QString::fromUtf8(trace::name(cell->kind)) : QString();
    return cell ? QStringLiteral("%1 %2 %3").arg(kind).arg(cell->query).arg(cell->key) : QString();
}

/// Nothing where the run has no such cell.
std::optional<WatchedCell> cellIn(const QString& text, const trace::Run* run) {
    const auto parts = text.split(' ');
    for (const auto kind : trace::attentionKinds)
        if (run && parts.size() == 3 && parts[0] == QString::fromUtf8(trace::name(kind))) {
            const auto query = parts[1].toUInt(), key = parts[2].toUInt();
            if (query < run->queryTokens(kind).size() && key < run->keyTokens(kind).size())
                return WatchedCell{.kind = kind, .query = query, .key = key};
        }
    return std::nullopt;
}

} // namespace

void HeadTable::addChoices(ViewChoices& choices) {
    auto* rows = view_;
    const auto* header = rows->horizontalHeader();
    choices.add("head-table", "search", control<QLineEdit>(this, "search"));
    choices.add("head-table", "kind", control<QComboBox>(this, "kind"));
    choices.addText(
        "head-table", "cell", [this] { return cellOf(known_); },
        [this](const QString& text) { setCell(cellIn(text, run_.get())); });
    choices.addWord(
        "head-table", "sorted-by", [header] { return header->sortIndicatorSection(); },
        [rows, header](int column) { rows->sortByColumn(column, header->sortIndicatorOrder()); });
    choices.addFlag(
        "head-table", "descending", [header] { return header->sortIndicatorOrder() == Qt::DescendingOrder; },
        [rows, header](bool descending) {
            rows->sortByColumn(header->sortIndicatorSection(),
                               descending ? Qt::DescendingOrder : Qt::AscendingOrder);
        });
    choices.add("head-table", "least-weight", control<QDoubleSpinBox>(this, "least-weight"));
}

} // namespace headscope::widgets

#include "widgets/views/classifier/classifier_view.h"

#include "model/analysis/output/classifier_tokens.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/view_choices.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/step_columns.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/drawing/window_style.h"
#include "widgets/explained.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/own_row.h"
#include "widgets/view_spec.h"
#include "widgets/views/classifier/classifier_pictures.h"
#include "widgets/views/classifier/reading_heads.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/card_words.h"
#include "widgets/words/class_title.h"
#include "widgets/words/trace_words.h"

#include <QActionGroup>
#include <QButtonGroup>
#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr std::size_t mostSegments = 4;
constexpr int answerSpread = 9;     ///< rows of 32 pixels with text of 17
constexpr int fewestAnswerRows = 4; ///< seen beside what is below them
constexpr int lowAnswer = 400;      ///< pixels: below, there is no room for maps
constexpr int narrowAnswer = 48;    ///< in heights of a line: below, titles have one line

} // namespace

View* views::makers::classifier(Selection* selection, QWidget* parent) {
    return new ClassifierView(selection, parent);
}

ClassifierView::ClassifierView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), headline_(new QWidget(this)), segments_(new QWidget(headline_)),
      buttons_(new QButtonGroup(this)), classes_(new QComboBox(headline_)), order_(new QComboBox(headline_)),
      measures_(new QComboBox(headline_)), framed_(new QFrame(this)),
      table_(new ColumnTable(framed_, ColumnTable::NoRoom::Drop)), sum_(new QLabel(framed_)),
      note_(new QLabel(this)), below_(new QWidget(this)), headsTitle_(new QLabel(below_)),
      open_(new QPushButton(tr("Open in Heads"), below_)), heads_(new ReadingHeads(selection, below_)) {
    setAccessibleName(tr("Classifier"));
    buildHeadline();
    buildTable();
    note_->setTextFormat(Qt::RichText);
    note_->setWordWrap(true);
    note_->setObjectName("note");
    headsTitle_->setTextFormat(Qt::RichText);
    open_->setToolTip(tr("Show the map of the selected head, with the token pinned"));
    auto* title = new QHBoxLayout;
    title->addWidget(headsTitle_, 1);
    title->addWidget(open_);
    auto* maps = new QVBoxLayout(below_);
    maps->setContentsMargins(0, 0, 0, 0);
    maps->setSpacing(space::xs);
    maps->addLayout(title);
    maps->addWidget(heads_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::s, space::m, space::m);
    column->setSpacing(space::m);
    column->addWidget(headline_);
    column->addWidget(framed_, 1);
    column->addWidget(note_);
    column->addWidget(below_);
    column->addStretch();
    connectTable();
    connect(open_, &QPushButton::clicked, this, &ClassifierView::openHead);
    connect(heads_, &ReadingHeads::opened, this, &ClassifierView::openHead);
    connect(heads_, &ReadingHeads::shownChanged, this, &View::questionsChanged);
    connect(selection, &Selection::focusChanged, this, &ClassifierView::mark);
    showAll();
}

void ClassifierView::buildHeadline() {
    auto* line = headline_;
    auto* segments = new QHBoxLayout(segments_);
    segments->setContentsMargins(0, 0, 0, 0);
    segments->setSpacing(0);
    classes_->setObjectName("class");
    classes_->setAccessibleName(tr("Class to explain"));
    classes_->setToolTip(tr("The class whose logit is split and whose probability is shown"));
    order_->addItems({tr("Reading order"), tr("Largest contribution first"), tr("Largest loss first")});
    order_->setObjectName("order");
    order_->setAccessibleName(tr("Order of the tokens"));
    measures_->addItems({tr("Log-probability"), tr("Probability")});
    measures_->setObjectName("loss");
    measures_->setAccessibleName(tr("Measure of the loss"));
    measures_->hide(); // in the menu
    auto* display = new QToolButton(line);
    display->setText(tr("Display"));
    display->setFocusPolicy(Qt::TabFocus);
    display->setPopupMode(QToolButton::InstantPopup);
    fillMenu(display);
    auto* picture = new QToolButton(line);
    picture->setText(tr("Picture"));
    picture->setToolTip(tr("Export a picture of the table, or of the choice under Display"));
    picture->setFocusPolicy(Qt::TabFocus);
    connect(picture, &QToolButton::clicked, this, [this] { Q_EMIT intended(intents::SavePicture()); });
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    row->addWidget(headlineLabel(tr("Why"), line));
    row->addWidget(segments_);
    row->addWidget(classes_);
    row->addWidget(headlineLabel(tr("?"), line));
    row->addStretch();
    for (QWidget* control : std::initializer_list<QWidget*>{order_, display, picture})
        row->addWidget(control);
    connect(classes_, &QComboBox::currentIndexChanged, this, [this] {
        tellChosenClass(); // first, as whoever asks what is shown follows the document
        showAll();
    });
    connect(buttons_, &QButtonGroup::idClicked, classes_, &QComboBox::setCurrentIndex);
    connect(order_, &QComboBox::currentIndexChanged, this, &ClassifierView::showRows);
    connect(measures_, &QComboBox::currentIndexChanged, this, &ClassifierView::showRows);
}

void ClassifierView::fillMenu(QToolButton* button) {
    auto* menu = new QMenu(button);
    const auto section = [&](const QString& title, const QStringList& names, auto&& chosen) {
        menu->addSection(title);
        auto* group = new QActionGroup(menu);
        for (const QString& name : names) {
            auto* action = group->addAction(menu->addAction(name));
            action->setCheckable(true);
            connect(action, &QAction::triggered, this,
                    [=, place = group->actions().size() - 1] { chosen(place); });
        }
        return group;
    };
    auto* losses = section(tr("Loss without a word"), {tr("Log-probability"), tr("Probability")},
                           [this](int measure) { measures_->setCurrentIndex(measure); });
    auto* pictures =
        section(tr("Picture to export"), {tr("Classes and Tokens"), tr("Words Left Out"), tr("Table")},
                [this](int page) { setPage(static_cast<Page>(page)); });
    connect(menu, &QMenu::aboutToShow, this, [this, losses, pictures] {
        losses->actions()[measures_->currentIndex()]->setChecked(true);
        pictures->actions()[page_]->setChecked(true);
    });
    menu->addSeparator();
    auto* importance = menu->addAction(tr("Heads by Importance"));
    importance->setToolTip(tr("Ablate each head of the encoder and list how much the answer loses"));
    connect(importance, &QAction::triggered, this, [this] { Q_EMIT intended(intents::MeasureHeads()); });
    button->setMenu(menu);
}

void ClassifierView::buildTable() {
    framed_->setFrameShape(QFrame::StyledPanel);
    table_->setAccessibleName(tr("Contribution and loss of each token"));
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setProperty(ownRowProperty, true);
    table_->setFitted(true, answerSpread);
    table_->setMarkFilled(true);
    sum_->setTextFormat(Qt::PlainText);
    sum_->setContentsMargins(space::s, space::xs, space::s, space::xs);
    auto* column = new QVBoxLayout(framed_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(table_, 1);
    column->addWidget(sum_);
}

/// Walking through the table lights its tokens; Enter or a click pins one.
void ClassifierView::connectTable() {
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        const auto row = table_->currentRow();
        if (row && table_->hasFocus()) // else the table was filled, not used
            light(*row);
    });
    connect(table_, &QTableView::clicked, this, [this] {
        if (const auto row = table_->currentRow())
            pin(*row);
        light(std::nullopt); // the pointer went there, no key
    });
    connect(table_, &ColumnTable::rowEntered, this, [this](int row) { pin(row); });
}

/// A key of encoder self-attention, which the maps of its heads highlight.
void ClassifierView::light(std::optional<std::size_t> token) {
    selection_->setCursor(token ? TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, *token)
                                : TokenFocus());
}

void ClassifierView::pin(std::size_t token) {
    selection_->togglePinned(TokenFocus::cell(trace::AttentionKind::EncoderSelf, std::nullopt, token));
}

/// Its map is shown with the column of the token marked.
void ClassifierView::openHead() {
    const auto token = shownToken();
    if (token && selection_->pinned().isEmpty())
        pin(*token);
    const auto& heads = heads_->heads();
    if (std::ranges::find(heads, selection_->head(), &ReadingHeads::Head::address) == heads.end() &&
        !heads.empty())
        selection_->setHead(std::ranges::max_element(heads, {}, &ReadingHeads::Head::weight)->address);
    Q_EMIT intended(intents::OpenHead());
}

void ClassifierView::tellChosenClass() {
    const bool classifies = run_ && !run_->classLogProbabilities.empty();
    Q_EMIT intended(intents::ChooseClass{classifies ? std::optional(chosenClass()) : std::nullopt});
}

void ClassifierView::setRun(std::shared_ptr<const trace::Run> run) {
    if (run != run_) {
        reading_.reset();
        whyNot_.clear();
    }
    const bool otherSentence =
        !run || !run_ || run->model != run_->model || run->request.source != run_->request.source;
    run_ = std::move(run);
    if (otherSentence) {
        fillClasses();
        tellChosenClass();
    }
    showAll();
}

void ClassifierView::fillClasses() {
    const QSignalBlocker quiet(classes_);
    classes_->clear();
    qDeleteAll(buttons_->buttons());
    const std::size_t count = run_ ? run_->classLogProbabilities.size() : 0;
    for (std::size_t chosen = 0; chosen < count; ++chosen) {
        classes_->addItem(classTitle(*run_->model, chosen));
        if (count > mostSegments)
            continue;
        auto* button = new QToolButton(segments_);
        button->setCheckable(true);
        setLook(button, ButtonLook::Segment);
        button->setFocusPolicy(Qt::TabFocus);
        buttons_->addButton(button, chosen);
        segments_->layout()->addWidget(button);
    }
    if (count > 0)
        classes_->setCurrentIndex(analysis::likeliestClass(
            {run_->classLogProbabilities.begin(), run_->classLogProbabilities.end()}));
}

/// Another run of the same sentence has other probabilities.
void ClassifierView::showClasses() {
    const std::size_t count = classes_->count();
    headline_->setVisible(count > 0);
    segments_->setVisible(count <= mostSegments);
    classes_->setVisible(count > mostSegments);
    for (auto* button : buttons_->buttons()) {
        const int chosen = buttons_->id(button);
        const bool isChosen = chosen == classes_->currentIndex();
        button->setText(QStringLiteral("%1  %2").arg(
            classes_->itemText(chosen), shareText(std::exp(run_->classLogProbabilities.at(chosen)))));
        button->setChecked(isChosen);
        QFont font = this->font();
        font.setBold(isChosen);
        button->setFont(font);
    }
}

std::size_t ClassifierView::chosenClass() const {
    return std::max(0, classes_->currentIndex());
}

ClassifierView::Order ClassifierView::order() const {
    return static_cast<Order>(order_->currentIndex());
}

bool ClassifierView::showsProbabilities() const {
    return measures_->currentIndex() == 1;
}

void ClassifierView::setPage(Page page) {
    page_ = page;
    Q_EMIT questionsChanged();
}

void ClassifierView::setChosenClass(std::size_t chosen) {
    classes_->setCurrentIndex(chosen);
}

void ClassifierView::setOrder(Order order) {
    order_->setCurrentIndex(static_cast<int>(order));
}

void ClassifierView::setSorted(bool sorted) {
    if (sorted != isSorted())
        setOrder(sorted ? Order::Loss : Order::Reading);
}

void ClassifierView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    table_->setSpaceMarksShown(shown);
    showAll();
}

std::vector<trace::Wanted> ClassifierView::questions() const {
    if (!run_ || !run_->complete || run_->classLogProbabilities.empty())
        return {};
    std::vector<trace::Wanted> wanted{
        trace::Question{.request = run_->request, .what = trace::ClassifierWhat()}};
    for (auto& question : statisticsQuestions(*context().document))
        wanted.push_back(std::move(question));
    for (const auto& tile : heads_->missingTiles())
        wanted.emplace_back(trace::Counted(tile));
    return wanted;
}

void ClassifierView::refresh() {
    const auto chosen = context().document->chosenClass;
    const bool isOther = std::exchange(followed_, chosen) != chosen;
    if (isOther && chosen && *chosen != chosenClass() && std::cmp_less(*chosen, classes_->count()))
        setChosenClass(*chosen);
    if (questions().empty())
        return;
    for (const auto& tile : heads_->missingTiles())
        if (auto known = context().known->of(tile))
            heads_->setTile(tile.head, std::move(known));
    auto statistics = shownStatistics(context(), statistics_);
    if (std::exchange(statistics_, statistics) != statistics)
        showHeads();
    const trace::Question asked{.request = run_->request, .what = trace::ClassifierWhat()};
    auto reading = context().known->of(run_->request, trace::ClassifierWhat());
    const QString whyNot = inWords(context().known->refusalOf(asked));
    if ((!reading && whyNot.isEmpty()) || (reading == reading_ && whyNot == whyNot_))
        return;
    reading_ = std::move(reading);
    whyNot_ = whyNot;
    showAll();
}

bool ClassifierView::isRead() const {
    return run_ && reading_ && !reading_->logits.empty() && chosenClass() < reading_->contributions.size();
}

bool ClassifierView::hasFigure() const {
    return isRead() && (page_ != Page::Words || !reading_->leftOut.empty());
}

void ClassifierView::showAll() {
    const bool any = isRead();
    showClasses();
    framed_->setVisible(any);
    if (any)
        sum_->setText(tr("Sum   %1").arg(shown().sum()));
    showNote();
    showRows();
    update();
    Q_EMIT questionsChanged();
}

/// Nothing is said where the columns agree.
void ClassifierView::showNote() {
    const bool isLacking = isRead() && reading_->leftOut.empty();
    note_->setText(!isRead() ? QString() : isLacking ? whyNothing().toHtmlEscaped() : shown().disagreement());
    note_->setVisible(!note_->text().isEmpty());
    const auto& theme = themeOf(palette());
    const QColor ground = mixed(theme.unsure, theme.background, theme.dark ? 0.25 : 0.15);
    note_->setStyleSheet(
        QStringLiteral("QLabel { background: %1; color: %2; border-radius: 6px; padding: 8px; }")
            .arg(ground.name(), theme.text.name()));
}

double ClassifierView::lossOf(const analysis::WordEffect& word) const {
    return showsProbabilities() ? word.probabilityLost : word.logProbabilityLost;
}

/// Of a picture.
std::vector<analysis::WordEffect> ClassifierView::wordsInOrder() const {
    auto words = analysis::wordEffects(*reading_, chosenClass());
    if (isSorted())
        std::ranges::stable_sort(words, std::ranges::greater(),
                                 [this](const auto& word) { return lossOf(word); });
    return words;
}

/// Tokens of one word stay together where they are sorted by its loss; tokens that are no words come last.
std::vector<int> ClassifierView::rowOrder() const {
    const std::size_t count = std::min(run_->source.size(), reading_->contributions[chosenClass()].size());
    std::vector<int> rows(count);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<double> keys(count, -INFINITY);
    if (order() == Order::Contribution)
        keys = {reading_->contributions[chosenClass()].begin(),
                reading_->contributions[chosenClass()].begin() + static_cast<std::ptrdiff_t>(count)};
    else
        for (const auto& word : analysis::wordEffects(*reading_, chosenClass()))
            std::fill(keys.begin() + static_cast<std::ptrdiff_t>(word.firstToken),
                      keys.begin() + static_cast<std::ptrdiff_t>(word.lastToken), lossOf(word));
    if (order() != Order::Reading)
        std::ranges::stable_sort(rows, std::ranges::greater(), [&](int row) { return keys[row]; });
    return rows;
}

void ClassifierView::showRows() {
    if (!isRead()) {
        showHeads();
        return;
    }
    const auto shares = analysis::tokenShares(*reading_, chosenClass());
    auto labels = tokenLabels(run_->source);
    labels.resize(shares.size());
    std::vector<std::optional<double>> losses(shares.size());
    std::vector<std::optional<double>> probabilities(shares.size());
    for (const auto& word : analysis::wordEffects(*reading_, chosenClass())) {
        losses.at(word.firstToken) = lossOf(word); // the others of the word are left out with it
        for (std::size_t token = word.firstToken; token < word.lastToken; ++token)
            probabilities.at(token) = word.probabilityWithout;
    }
    const bool isNarrow = width() < narrowAnswer * fontMetrics().height();
    const auto second = [isNarrow](const QString& words) { return isNarrow ? QString() : words; };
    const QString name = shown().name();
    const QString measure = showsProbabilities() ? tr("probability of %1 lost when read again")
                                                 : tr("log-prob. of %1 lost when read again");
    std::vector<TableColumn> columns{
        {.title = tr("Token"), .tokens = labels},
        filled({.title = tr("Contribution"),
                .subtitle = second(tr("one reading, split by token")),
                .toolTip = tr("Contribution to the logit of %1").arg(name),
                .bars = TableColumn::Bars::Alone,
                .takesRest = true},
               shares, &analysis::TokenShare::contribution),
        filled({.title = {}, .write = shortSignedText, .sample = QStringLiteral("+00.00")}, shares,
               &analysis::TokenShare::contribution),
        filled({.title = tr("Features"),
                .subtitle = second(tr("of %1 pooled").arg(reading_->positions.size())),
                .toolTip = tr("Pooled features with the largest value from this token"),
                .bars = TableColumn::Bars::Alone,
                .fromLeft = true,
                .tracked = true,
                .dropped = 1},
               shares, &analysis::TokenShare::features),
        filled({.title = {}, .write = wholeText, .dropped = 1}, shares, &analysis::TokenShare::features),
        {.title = tr("Word left out"),
         .subtitle = second(measure.arg(name)),
         .toolTip = tr("What the class loses when the text is read again without the word; later words move "
                       "up"),
         .numbers = losses,
         .bars = TableColumn::Bars::Alone,
         .takesRest = true},
        {.title = {}, .numbers = losses, .write = shortSignedText, .sample = QStringLiteral("+00.00")}};
    TableContent content{.columns = std::move(columns), .listed = rowOrder(), .isOwnOrder = true};
    content.words = [=](int row) {
        const std::size_t at = row;
        QString words = tr("%1: contribution %2, features %3")
                            .arg(quoted(labels[at]), numberText(shares[at].contribution),
                                 QString::number(shares[at].features));
        if (losses[at])
            words += tr(", lost without it %1").arg(numberText(*losses[at]));
        if (probabilities[at])
            words += tr(", probability of %1 without it %2").arg(name, numberText(*probabilities[at]));
        return words;
    };
    content.toolTip = [words = content.words](int row, int) { return words(row); };
    if (const auto token = shownToken())
        content.marked = *token;
    table_->setContent(std::move(content));
    fit();
    showHeads();
}

std::optional<std::size_t> ClassifierView::shownToken() const {
    if (!isRead())
        return std::nullopt;
    const auto& focus = selection_->focus();
    const auto key = focus.key(trace::AttentionKind::EncoderSelf);
    return key && *key < run_->source.size() ? std::optional<std::size_t>(*key)
                                             : analysis::tellingToken(*reading_, chosenClass());
}

void ClassifierView::mark() {
    const auto token = shownToken();
    const auto row = token ? std::optional<int>(*token) : std::nullopt;
    if (!isRead() || row == table_->content().marked)
        return;
    table_->setMarked(row);
    showHeads();
}

void ClassifierView::showHeads() {
    const auto token = shownToken();
    heads_->setHeads(run_, statistics_, token);
    below_->setVisible(token && !heads_->heads().empty() && height() >= lowAnswer);
    if (token)
        headsTitle_->setText(tr("<b>Heads that read %1</b> &nbsp; mean weight of its column")
                                 .arg(quoted(tokenLabel(run_->source, *token)).toHtmlEscaped()));
}

/// The table is as high as its rows where there is room.
void ClassifierView::fit() {
    framed_->setMaximumHeight(table_->wholeHeight() + sum_->sizeHint().height() + 4);
    const int rows = std::min(fewestAnswerRows, table_->model()->rowCount());
    table_->setMinimumHeight(table_->fontMetrics().height() * (rows + 2));
}

void ClassifierView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    const int narrow = narrowAnswer * fontMetrics().height();
    const bool isOther = (event->oldSize().width() < narrow) != (width() < narrow) ||
                         (event->oldSize().height() < lowAnswer) != (height() < lowAnswer);
    if (isOther)
        showRows();
}

void ClassifierView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        showAll();
}

void ClassifierView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!isRead())
        drawEmptyState(painter, QRectF(rect()).adjusted(0, 80, 0, 0),
                       tr("Shows the class probabilities and the contribution of each token."), whyNothing(),
                       theme);
}

QString ClassifierView::whyNothing() const {
    if (!run_)
        return tr(
            "Open a model that classifies sentences, such as an encoder with a pooled layer of classes; "
            "then type a sentence and press Enter.");
    if (run_->classLogProbabilities.empty())
        return tr(
            "This model translates: it has no classes. Open one that classifies, such as an encoder with "
            "a pooled layer of classes (Ctrl+O).");
    if (!whyNot_.isEmpty())
        return whyNot_;
    if (!isRead())
        return tr("Computing the contributions...");
    if (trace::namesPlaces(run_->request.interventions))
        return tr("A change refers to a cell or row by position, and positions shift when a word is left "
                  "out: switch the change off in What if.");
    return tr("No word can be left out: type a sentence of two words or more.");
}

QString ClassifierView::pageCaption() const {
    if (!hasFigure())
        return whyNothing();
    const auto words = page_ == Page::Answer  ? shown().answerCaption()
                       : page_ == Page::Words ? shown().wordsCaption(showsProbabilities(), isSorted())
                                              : shown().tableCaption(showsProbabilities());
    return withModel(*run_->model, words);
}

QString ClassifierView::caption() const {
    return hasFigure() ? (pageCaption() + QChar(' ') + shown().whereTheyDiffer()).trimmed() : whyNothing();
}

std::optional<FigureBlocks> ClassifierView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto pinned = figureParts().marks ? selection_->pinned().key(trace::AttentionKind::EncoderSelf)
                                            : std::optional<trace::TokenIndex>();
    const auto marked = pinned ? std::optional<int>(*pinned) : std::nullopt;
    if (page_ == Page::Table) {
        TableFigure figure = table_->figure();
        figure.caption = caption();
        figure.marked = marked;
        figure.font = font();
        return figure.blocks();
    }
    const auto bars = [this](std::shared_ptr<BarsPicture> picture) {
        picture->setSpaceMarks(spaceMarks_);
        const double height = picture->rows() * BarsPicture::comfortableRow(font());
        auto block = plotBlock(picture, font(), [=](double width) { return QSizeF(width, height); });
        block.grows = false;
        return block;
    };
    FigureBlocks blocks{.caption = caption(), .font = font(), .width = 876};
    if (page_ == Page::Words)
        blocks.picture = bars(lossBars(shown(), wordsInOrder(), showsProbabilities()));
    else
        blocks.picture = stacked(
            {bars(classBars(shown())),
             givenTokensBlock(shown(),
                              {.spaceMarks = spaceMarks_, .isCutSaid = figureParts().notes, .lit = marked},
                              font())});
    return blocks;
}

FigureText ClassifierView::figureText() const {
    return {.title = tr("Classifier"),
            .caption = caption(),
            .provenance = run_ ? provenance(*run_) : QString(),
            .quantity = page_ == Page::Words ? tr("probability lost") : tr("logit")};
}

trace::FigureData ClassifierView::figureData() const {
    if (!hasFigure())
        return {};
    trace::FigureData data;
    if (page_ == Page::Words) {
        const auto words = wordsInOrder();
        const auto text = [this](const analysis::WordEffect& word) {
            QString text;
            for (std::size_t token = word.firstToken; token < word.lastToken; ++token)
                text += tokenLabel(run_->source.at(token)).full();
            return text;
        };
        data.tables.push_back(
            {.name = "words",
             .columns = {dataColumn("word", words, text),
                         dataColumn("log_probability_lost", words, &analysis::WordEffect::logProbabilityLost),
                         dataColumn("probability_lost", words, &analysis::WordEffect::probabilityLost)}});
        return data;
    }
    if (page_ == Page::Table) {
        data.tables.push_back(shown().tokenData(rowOrder()));
        return data;
    }
    QStringList names;
    for (std::size_t i = 0; i < reading_->logits.size(); ++i)
        names += classTitle(*run_->model, i);
    data.tables.push_back({.name = "classes",
                           .columns = {dataColumn("class", names), dataColumn("logit", reading_->logits),
                                       dataColumn("log_probability", reading_->logProbabilities),
                                       dataColumn("bias", reading_->bias)}});
    trace::DataArray contributions{.name = "contributions",
                                   .axes = {{.name = "class"}, dataAxis("token", tokenLabels(run_->source))},
                                   .shape = {reading_->contributions.size(), run_->source.size()}};
    for (const auto& row : reading_->contributions)
        contributions.values.insert(contributions.values.end(), row.begin(), row.end());
    for (const QString& name : names)
        contributions.axes[0].labels.push_back(name.toStdString());
    data.arrays.push_back(std::move(contributions));
    data.tables.push_back(shown().featureData());
    return data;
}

std::optional<PictureOptions> ClassifierView::picture(PictureOptions options) const {
    return ofView(std::move(options), "classifier", pageName("classifier", page_));
}

void ClassifierView::addChoices(ViewChoices& choices) {
    choices.addPage("classifier", this);
    choices.addWhole(
        "classifier", "class", [this] { return static_cast<int>(chosenClass()); },
        [this](int chosen) { setChosenClass(chosen); });
    choices.addFlag(
        "classifier", "sorted", [this] { return isSorted(); }, [this](bool sorted) { setSorted(sorted); });
    choices.addFlag(
        "classifier", "by-contribution", [this] { return order() == Order::Contribution; },
        [this](bool sorted) {
            if (sorted != (order() == Order::Contribution))
                setOrder(sorted ? Order::Contribution : Order::Reading);
        });
    choices.add("classifier", "loss", control<QComboBox>(this, "loss"));
}

} // namespace headscope::widgets

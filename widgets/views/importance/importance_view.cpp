#include "widgets/views/importance/importance_view.h"
#include "widgets/views/places.h"

#include "widgets/controls/contrast_field.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/plots/readable_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/importance/importance_card.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int importanceViewMargin = 8;
constexpr double curveShape = 0.5; // height / width in a figure
constexpr int fewestLines = 18;    // of a view that has room for more than the list

enum Page { EmptyPage, ProgressPage, ListPage };
enum Scope { StepScope, OutputScope };

int headsOf(const trace::ModelSummary& model) {
    int heads = 0;
    for (const auto kind : trace::attentionKinds)
        heads += model.layers(kind) * model.heads(kind);
    return heads;
}

} // namespace

View* views::makers::importance(Selection* selection, QWidget* parent) {
    return new ImportanceView(selection, parent);
}

ImportanceView::ImportanceView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), contrast_(new ContrastField(selection, this)),
      scope_(new QComboBox(this)), kind_(new QComboBox(this)), ablation_(new QComboBox(this)),
      sentence_(new QLineEdit(this)), withCurve_(new QCheckBox(tr("Removal curve"), this)),
      curve_(new ReadablePlot(tr("Removal curve"), this)), caption_(wrappedLabel(this)),
      pages_(new QStackedWidget(this)), choices_(buildChoices()), removal_(buildRemoval()),
      hint_(wrappedLabel(this)), measure_(new QPushButton(tr("Measure Head Importance"), this)),
      again_(new QPushButton(tr("Measure Again"), this)), progress_(new QProgressBar(this)),
      table_(new ColumnTable(this, ColumnTable::NoRoom::Drop)), whole_(new QWidget(this)),
      card_(new ImportanceCard(selection, this)) {
    setAccessibleName(tr("Head importance"));
    pages_->insertWidget(EmptyPage, buildEmpty());
    pages_->insertWidget(ProgressPage, buildProgress());
    pages_->insertWidget(ListPage, table_);
    auto* both = new QVBoxLayout(this);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(whole_);
    both->addWidget(card_);
    card_->hide();
    layOutRemoval();
    auto* column = new QVBoxLayout(whole_);
    column->setContentsMargins(importanceViewMargin, importanceViewMargin, importanceViewMargin,
                               importanceViewMargin);
    column->setSpacing(space::s);
    column->addWidget(contrast_);
    column->addWidget(choices_);
    column->addWidget(removal_);
    column->addWidget(caption_);
    column->addWidget(again_, 0, Qt::AlignLeft);
    column->addWidget(pages_, 1);
    column->addWidget(curve_, 1);
    connect(curve_, &ReadablePlot::markDescribed, this, &View::cellDescribed);
    again_->setToolTip(tr("Measure the head importance in the changed model"));
    for (QPushButton* button : {again_, measure_})
        connect(button, &QPushButton::clicked, this, [this] { Q_EMIT intended(intents::MeasureHeads()); });
    connect(contrast_, &ContrastField::contrastChosen, this,
            [this](const QString& token) { Q_EMIT intended(intents::CompareWith{token.toStdString()}); });
    table_->setAccessibleName(tr("Heads by importance"));
    table_->setSortable(ImportanceColumns::Rank, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->followHeads(selection);
    connect(table_, &ColumnTable::rowEntered, this, [this] { Q_EMIT intended(intents::OpenHead()); });
    connect(table_, &ColumnTable::rowDoubleClicked, this, [this](int row) {
        Q_EMIT intended(intents::ToggleHead{scores()[static_cast<std::size_t>(row)].head});
    });
    connect(card_, &ImportanceCard::headEntered, this, [this] { Q_EMIT intended(intents::OpenHead()); });
    connect(card_, &ImportanceCard::headDoubleClicked, this,
            [this](const auto& head) { Q_EMIT intended(intents::ToggleHead{head}); });
    connect(card_, &ImportanceCard::markDescribed, this, &View::cellDescribed);
    connect(scope_, &QComboBox::currentIndexChanged, this, [this](int of) {
        Q_EMIT intended(chooseWord("importance", "of", of));
        showScores();
    });
    connect(kind_, &QComboBox::currentIndexChanged, this, [this](int index) {
        rows_.kind = index > 0 ? std::optional(trace::attentionKinds[static_cast<std::size_t>(index - 1)])
                               : std::nullopt;
        table_->setContent(ImportanceColumns::content(rows_));
    });
    connect(selection_, &Selection::stepChanged, this, [this] {
        if (isCard()) {
            refresh();
            Q_EMIT questionsChanged();
        }
        if (isCard() || scope_->currentIndex() != StepScope)
            return;
        showScores();
        if (shown_.isWithCurve)
            Q_EMIT questionsChanged();
    });
    showState();
}

QWidget* ImportanceView::buildChoices() {
    auto* choices = new QWidget(this);
    scope_->setObjectName("of");
    kind_->setObjectName("kind");
    scope_->setAccessibleName(tr("Scope of the importance"));
    scope_->addItems({tr("this step"), tr("whole sentence")});
    scope_->setToolTip(tr("The token chosen at the current step, or the sum over all tokens"));
    kind_->setAccessibleName(tr("Kinds of attention listed"));
    kind_->addItem(tr("all kinds"));
    for (const auto kind : trace::attentionKinds)
        kind_->addItem(kindTitle(kind));
    kind_->setToolTip(tr("Heads to list; ranks are among all heads"));
    auto* row = new QHBoxLayout(choices);
    row->setContentsMargins(0, 0, 0, 0);
    for (QComboBox* box : {scope_, kind_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(6);
        row->addWidget(box, 1);
    }
    return choices;
}

QWidget* ImportanceView::buildRemoval() {
    auto* removal = new QWidget(this);
    ablation_->setObjectName("ablation");
    ablation_->setAccessibleName(tr("Ablation"));
    ablation_->addItems({tr("switched off"), tr("mean output"), tr("other sentence")});
    ablation_->setToolTip(
        tr("Output of a removed head: zero, its mean over the sample sentences, or its output "
           "for another sentence"));
    ablation_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    ablation_->setMinimumContentsLength(10);
    sentence_->setObjectName("ablation-sentence");
    sentence_->setAccessibleName(tr("Sentence that heads are resampled from"));
    sentence_->setPlaceholderText(tr("another sentence"));
    withCurve_->setToolTip(
        tr("Remove heads cumulatively, the most important first, and compare with %1 random orders")
            .arg(analysis::randomOrders));
    auto* row = new QHBoxLayout(removal);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(withCurve_, 1);
    connect(ablation_, &QComboBox::activated, this, &ImportanceView::chooseAblation);
    connect(sentence_, &QLineEdit::editingFinished, this, [this] {
        Q_EMIT intended(intents::Choose{"importance", "ablation-sentence", sentence_->text().toStdString()});
    });
    connect(withCurve_, &QCheckBox::clicked, this, [this](bool isOn) {
        Q_EMIT intended(intents::Choose{"importance", "curve", isOn});
    });
    return removal;
}

/// The controls stand on the card, too.
void ImportanceView::layOutRemoval() {
    auto* row = qobject_cast<QBoxLayout*>(removal_->layout());
    row->insertWidget(0, ablation_, 1);
    row->insertWidget(1, sentence_, 1);
}

/// Another sentence is needed at once: the first sample that is not shown.
void ImportanceView::chooseAblation(int kind) {
    const auto& document = *context().document;
    const bool isResampled = kind == static_cast<int>(trace::Ablation::Kind::Resample);
    if (isResampled && sentence_->text().isEmpty() && document.run)
        for (const auto& sample : document.samples.sentences)
            if (document.run->request.source != trace::Source(sample)) {
                Q_EMIT intended(intents::Choose{"importance", "ablation-sentence", sample});
                break;
            }
    Q_EMIT intended(chooseWord("importance", "ablation", kind));
}

QWidget* ImportanceView::buildEmpty() {
    auto* page = new QWidget(this);
    hint_->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(page);
    column->addStretch();
    column->addWidget(hint_);
    column->addWidget(measure_, 0, Qt::AlignCenter);
    column->addStretch();
    return page;
}

QWidget* ImportanceView::buildProgress() {
    auto* page = new QWidget(this);
    progress_->setAccessibleName(tr("Heads measured"));
    progress_->setFormat(tr("%v of %m heads"));
    auto* cancel = new QPushButton(tr("Cancel"), page);
    cancel->setToolTip(tr("Stop measuring; the run is not affected"));
    auto* column = new QVBoxLayout(page);
    column->addStretch();
    column->addWidget(progress_);
    column->addWidget(cancel, 0, Qt::AlignCenter);
    column->addStretch();
    connect(cancel, &QPushButton::clicked, this, [this] { Q_EMIT intended(intents::StopMeasuring()); });
    return page;
}

void ImportanceView::showForm() {
    whole_->setVisible(!isCard());
    card_->setVisible(isCard());
    if (isCard())
        card_->take(ablation_, sentence_);
    else
        layOutRemoval();
    refresh();
    Q_EMIT questionsChanged();
}

void ImportanceView::showPicture(const PictureOptions& options) {
    setCard(isChosen(options, "card", true));
}

QWidget* ImportanceView::takesKeys() const {
    return isCard() ? card_->table() : table_;
}

std::optional<Explained> ImportanceView::explains() const {
    return isCard() ? explained(*context().document, selection_->step()) : std::nullopt;
}

/// The importance in the model itself is a question of the document, not of this view, but on a card.
std::vector<trace::Wanted> ImportanceView::questions() const {
    const auto& document = *context().document;
    if (isCard()) {
        const auto of = explains();
        if (!of)
            return {};
        std::vector<trace::Wanted> wanted{explainedImportance(document, *of)};
        for (auto& order : orders(shown_))
            wanted.emplace_back(trace::Question{of->request, std::move(order)});
        return wanted;
    }
    const bool isMeasured = isKnown() && !shown_.isEarlier;
    const auto twin =
        isMeasured && !document.stoppedMeasuring ? twinImportanceQuestion(document) : std::nullopt;
    std::vector<trace::Wanted> wanted;
    if (twin)
        wanted.emplace_back(*twin);
    if (document.request)
        for (auto& order : orders(shown_))
            wanted.emplace_back(trace::Question{*document.request, std::move(order)});
    return wanted;
}

std::vector<trace::RemovalWhat> ImportanceView::orders(const Content& shown) const {
    if (!shown.isWithCurve || !shown.isKnown() || shown.isEarlier)
        return {};
    const auto scope =
        shown.step ? ImportanceScope(shown.step)
                   : importanceScope(*context().document, *shown.run, *shown.importance, selection_->step());
    std::vector<trace::RemovalWhat> orders{analysis::byImportance(*shown.importance, scope)};
    std::ranges::move(analysis::atRandom(*shown.importance), std::back_inserter(orders));
    if (shown.step)
        std::ranges::transform(orders, orders.begin(), analysis::atFew);
    return orders;
}

void ImportanceView::refresh() {
    const auto& document = *context().document;
    scope_->setCurrentIndex(chosenWord(document, "importance", "of"));
    const auto ablation = ablationOf(document);
    ablation_->setCurrentIndex(static_cast<int>(ablation.kind));
    sentence_->setVisible(ablation.kind == trace::Ablation::Kind::Resample);
    if (!sentence_->hasFocus())
        sentence_->setText(QString::fromStdString(ablation.sentence));
    withCurve_->setChecked(chosenFlag(document, "importance", "curve"));
    const auto of = explains();
    Content shown;
    if (of)
        followExplained(shown, *of);
    else if (!isCard())
        followImportance(shown);
    else
        shown.run = document.run;
    findRemovals(shown);
    setContent(std::move(shown));
}

void ImportanceView::followExplained(Content& shown, const Explained& of) const {
    const auto& known = *context().known;
    const auto question = explainedImportance(*context().document, of);
    shown.run = context().document->run;
    shown.importance = known.of(question.request, std::get<trace::ImportanceWhat>(question.what));
    shown.isMeasuring = known.isAwaited(question);
    shown.refusal = inWords(known.refusalOf(question));
    shown.isWithCurve = true;
    shown.step = of.step;
}

void ImportanceView::followImportance(Content& shown) const {
    const auto& document = *context().document;
    const auto& known = *context().known;
    const auto found = shownImportance(context());
    shown.run = found.run;
    shown.importance = found.importance;
    shown.isEarlier = found.isEarlier;
    const auto question = importanceQuestion(document);
    shown.isMeasuring = isMeasured(document, known);
    const auto refusal = question ? known.refusalOf(*question) : std::nullopt;
    contrast_->follow(document.ratherThan, refusal);
    if (refusal && refusal->where != trace::contrastOption)
        shown.refusal = QString::fromStdString(trace::paragraph(*refusal));
    shown.twinSeed = seedOfReadingTwin(document);
    if (const auto twin = twinImportanceQuestion(document))
        shown.twin = known.of(twin->request, trace::ImportanceWhat{ablationOf(document)});
    if (shown.twin && !shown.twin->complete)
        shown.twin.reset();
    shown.isWithCurve = withCurve_->isChecked();
}

void ImportanceView::findRemovals(Content& shown) const {
    const auto of = explains();
    const auto request = of ? std::optional(of->request) : context().document->request;
    const auto& known = *context().known;
    auto& removals = shown.removals;
    if (!request)
        return;
    const auto wanted = orders(shown);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto curve = known.of(*request, wanted[i]);
        if (shown.whyNoCurve.isEmpty())
            shown.whyNoCurve = inWords(known.refusalOf(trace::Question{*request, wanted[i]}));
        if (i == 0)
            removals.byImportance = std::move(curve);
        else
            removals.random.push_back(std::move(curve));
    }
}

void ImportanceView::setContent(Content content) {
    if (content == shown_) {
        if (!content.run)
            showState(); // a model may be what is missing now
        return;
    }
    const bool isOther = content.run != shown_.run || content.importance != shown_.importance;
    shown_ = std::move(content);
    contrast_->setRun(shown_.run);
    rows_.model = shown_.run ? shown_.run->model : nullptr;
    if (isOther)
        measureAgain();
    showState();
    Q_EMIT questionsChanged(); // the twin's comes after the model's
}

/// Of the same tokens alone: at the end of a reference each model has a token of its own.
std::optional<std::vector<analysis::HeadScore>> ImportanceView::twinScores() const {
    if (!shown_.twinSeed || !isKnown())
        return std::nullopt;
    const auto step = scope();
    const bool isSame =
        shown_.twin && (step ? *step < shown_.twin->tokens.size() &&
                                   shown_.twin->tokens[*step].id == shown_.importance->tokens[*step].id
                             : std::ranges::equal(shown_.twin->tokens, shown_.importance->tokens, {},
                                                  &trace::Token::id, &trace::Token::id));
    return isSame ? analysis::headScores(*shown_.twin, step) : std::vector<analysis::HeadScore>();
}

ImportanceScope ImportanceView::scope() const {
    if (shown_.step)
        return shown_.step;
    return importanceScope(*context().document, *shown_.run, *shown_.importance, selection_->step());
}

ShownScores ImportanceView::shownScores() const {
    if (!isKnown())
        return {};
    return {
        .run = shown_.run, .importance = shown_.importance, .scope = scope(), .isEarlier = shown_.isEarlier};
}

QString ImportanceView::whyNot(const std::string&) const {
    const auto& document = *context().document;
    const auto* run = document.run.get();
    const bool isTrace = run && run->model && run->model->recorded;
    return isTrace && !document.measured ? whyNothingRuns(*run->model) : whyNotMeasured(run, *this);
}

void ImportanceView::showState() {
    const QString whyNot = whyNotMeasured(shown_.run.get(), *this);
    hint_->setText(
        !shown_.refusal.isEmpty() ? shown_.refusal
        : whyNot.isEmpty()
            ? shown_.run && shown_.run->answerKind() == trace::AnswerKind::Numbers
                  ? tr("Lists every head with what the predicted number loses without the head.")
                  : tr("Lists every head with the log-probability that the output loses without the head.")
            : whyNot);
    measure_->setEnabled(whyNot.isEmpty());
    measure_->setToolTip(whyNot.isEmpty() ? tr("Ablate each head in turn") : whyNot);
    measure_->setVisible(!shown_.run || !shown_.run->model ||
                         !shown_.run->model->recorded); // a trace holds it, or does not
    pages_->setCurrentIndex(isKnown() ? ListPage : shown_.isMeasuring ? ProgressPage : EmptyPage);
    const auto answers = shown_.run ? shown_.run->answerKind() : trace::AnswerKind::None;
    const bool decodes = answers == trace::AnswerKind::Steps; // else there is one kind of heads
    scope_->setItemText(0, decodes ? tr("this step") : tr("this answer"));
    scope_->setItemText(1, decodes ? tr("whole sentence") : tr("all answers"));
    kind_->setVisible(decodes);
    choices_->setVisible(isKnown() &&
                         (decodes || (answers != trace::AnswerKind::Tokens && shown_.run->steps() > 0)));
    showRemoval();
    caption_->setVisible(isKnown());
    again_->setVisible(isKnown() && shown_.isEarlier);
    showProgress();
    showScores();
}

void ImportanceView::showProgress() {
    progress_->setRange(0, shown_.run && shown_.run->model ? headsOf(*shown_.run->model) : 1);
    progress_->setValue(shown_.importance ? static_cast<int>(shown_.importance->effects.size()) : 0);
}

void ImportanceView::showScores() {
    rows_.scores = shownScores().ranked();
    rows_.tokens = isKnown() && !scope() ? shown_.importance->tokens.size() : 1;
    rows_.areNumbers = isKnown() && shown_.importance->areNumbers;
    rows_.twin = twinScores();
    table_->setContent(ImportanceColumns::content(rows_));
    showCurve();
    showCaption();
    showCard();
}

void ImportanceView::showCard() {
    if (!isCard())
        return;
    ImportanceCard::Content card{.scores = rows_.scores, .curve = curve()};
    const auto compared = removals();
    if (!compared.removed.empty())
        card.verdict = removalVerdict(compared, *shown_.removals.byImportance);
    card.caption = listCaption();
    card.areNumbers = rows_.areNumbers;
    card.removed = isKnown() ? shown_.importance->ablation.kind : ablationOf(*context().document).kind;
    card.hint = !shown_.refusal.isEmpty() ? shown_.refusal
                : shown_.isMeasuring      ? tr("Each head is removed in turn.")
                                          : whyNotMeasured(shown_.run.get(), *this);
    card_->setContent(std::move(card));
}

/// Where there is little room, the list has it.
void ImportanceView::showRemoval() {
    const bool hasRoom = height() >= fewestLines * fontMetrics().height();
    removal_->setVisible(hasRoom && whyNotMeasured(shown_.run.get(), *this).isEmpty());
    curve_->setVisible(hasRoom && shown_.isWithCurve && isKnown() && !shown_.isEarlier);
}

void ImportanceView::showCurve() {
    showRemoval();
    curve_->setPicture(curve());
}

analysis::RemovalComparison ImportanceView::removals() const {
    return isKnown() && !shown_.isEarlier ? comparedRemovals(shown_.removals, scope())
                                          : analysis::RemovalComparison();
}

std::shared_ptr<const PlotPicture> ImportanceView::curve() const {
    if (!shown_.isWithCurve)
        return nullptr;
    if (const auto compared = removals(); !compared.removed.empty())
        return std::make_shared<DrawnPlot>(
            isCard() ? removalSketch(compared, *shown_.removals.byImportance)
                     : removalPlot(compared, *shown_.removals.byImportance, scope()));
    const bool isRefused = !shown_.whyNoCurve.isEmpty();
    return std::make_shared<DrawnPlot>(
        Plot{.nothing = isRefused ? tr("No removal curve") : tr("Measuring the removal curve"),
             .whyNothing = shown_.whyNoCurve});
}

/// Short where it would leave no room for the list; the whole is in the tooltip then.
void ImportanceView::showCaption() {
    const QString whole = listCaption();
    const QRect room(0, 0, std::max(1, contentsRect().width() - 2 * importanceViewMargin), 1000);
    const int high = fontMetrics().boundingRect(room, Qt::TextWordWrap, whole).height();
    const bool isShort = isKnown() && high > height() / 4;
    const QString when = shown_.isEarlier ? ' ' + beforeTheChange() : QString();
    caption_->setText(isShort ? shortImportanceCaption(*shown_.importance, *shown_.run, scope()) + when
                              : whole);
    caption_->setToolTip(isShort ? plainToolTip(whole) : QString());
}

void ImportanceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showRemoval();
    showCaption();
    whole_->layout()->activate(); // the caption may be shorter
}

QSize ImportanceView::minimumSizeHint() const {
    return {24 * fontMetrics().averageCharWidth(), 7 * fontMetrics().height()};
}

QString ImportanceView::listCaption() const {
    QString words = caption();
    if (isKnown() && shown_.twinSeed)
        words = tr("%1 Twin: the same with random weights, seed %2.")
                    .arg(words, QString::number(*shown_.twinSeed));
    const auto compared = removals();
    return compared.removed.empty() ? words
                                    : words + ' ' + removalCaption(compared, *shown_.removals.byImportance);
}

std::optional<PointedAt> ImportanceView::pointedAt(QPoint position) const {
    return (isCard() ? card_->table() : table_)->pointedAt(position, this);
}

/// A figure's facts are those of the shown run.
bool ImportanceView::hasFigure() const {
    return !table_->rows().empty() && !shown_.isEarlier;
}

void ImportanceView::measureAnimation() {
    animationLimit_ = 0;
    for (std::size_t step = 0; isKnown() && step < shown_.importance->tokens.size(); ++step)
        animationLimit_ = std::max(
            animationLimit_, analysis::largestImportance(analysis::headScores(*shown_.importance, step)));
}

/// Bars of all frames of an animation have one scale.
double ImportanceView::limit() const {
    return isAnimated() ? std::max(rows_.limit(), animationLimit_) : rows_.limit();
}

std::optional<FigureBlocks> ImportanceView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    if (isCard())
        return FigureBlocks{.picture = card_->block(font()), .caption = listCaption(), .font = font()};
    TableFigure figure = table_->figure();
    figure.caption = listCaption();
    figure.longestBar = limit();
    figure.font = font();
    auto blocks = figure.blocks();
    if (!removals().removed.empty())
        blocks.picture = stacked({blocks.picture, plotBlock(curve(), font(), shaped(curveShape))});
    return blocks;
}

FigureText ImportanceView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = importanceTitle(*shown_.importance, *shown_.run, scope()),
            .caption = listCaption(),
            .provenance = provenance(*shown_.run),
            .quantity = tr("importance")};
}

trace::FigureData ImportanceView::figureData() const {
    if (!hasFigure())
        return {};
    QStringList heads;
    std::vector<double> importance, divergence, twin;
    const auto ofTwin = twinScores();
    for (const auto& score : scores()) {
        heads += address(score.head);
        importance.push_back(score.importance);
        divergence.push_back(score.divergence);
        twin.push_back(noNumber);
        for (const auto& other : ofTwin.value_or(std::vector<analysis::HeadScore>()))
            if (other.head == score.head)
                twin.back() = other.importance;
    }
    trace::DataTable table{.name = "importance",
                           .columns = {dataColumn("head", heads), dataColumn("importance", importance),
                                       dataColumn(rows_.areNumbers ? "distance" : "divergence", divergence)}};
    if (ofTwin)
        table.columns.push_back(dataColumn("twin", twin));
    trace::FigureData data{.tables = {std::move(table)}};
    const auto compared = removals();
    if (compared.removed.empty())
        return data;
    const std::vector<double> removed(compared.removed.begin(), compared.removed.end());
    QStringList last; // removed head of each point
    for (const auto count : compared.removed)
        last += count > 0 ? address(compared.order[count - 1]) : QString();
    trace::DataTable curve{.name = "removal",
                           .columns = {dataColumn("removed", removed), dataColumn("head", last),
                                       dataColumn("by_importance", compared.byImportance)}};
    if (compared.draws > 0) {
        curve.columns.push_back(dataColumn("random_mean", compared.mean));
        curve.columns.push_back(dataColumn("random_minimum", compared.least));
        curve.columns.push_back(dataColumn("random_maximum", compared.most));
    }
    data.tables.push_back(std::move(curve));
    return data;
}

/// Of a picture that is to show the curve, which a trace may not hold.
std::optional<View::Lacking> ImportanceView::lacks() const {
    const auto& request = context().document->request;
    const auto of = explains();
    for (const auto& order : request ? orders(shown_) : std::vector<trace::RemovalWhat>())
        if (auto refusal = context().known->refusalOf(trace::Question{of ? of->request : *request, order}))
            return Lacking{.choice = "curve", .why = std::move(refusal)};
    return std::nullopt;
}

std::optional<PictureOptions> ImportanceView::picture(PictureOptions options) const {
    options = ofView(std::move(options), "importance");
    if (isCard())
        options.choices["card"] = true;
    return options;
}

QStringList ImportanceView::nameParts(const trace::HeadAddress& head, int step) const {
    auto parts = FigureSource::nameParts(head, step);
    return isCard() && isKnown() && !shown_.run->target.empty()
               ? parts << QStringLiteral("step-%1").arg(step + 1)
               : parts;
}

void ImportanceView::addChoices(ViewChoices& choices) {
    choices.add("importance", "kind", control<QComboBox>(this, "kind"));
}

} // namespace headscope::widgets

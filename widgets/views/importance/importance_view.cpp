#include "widgets/views/importance/importance_view.h"

#include "widgets/controls/contrast_field.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/column_table.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace headscope::widgets {

namespace {

constexpr int importanceViewMargin = 8;

enum Page { EmptyPage, ProgressPage, ListPage };
enum Scope { StepScope, OutputScope };

int headsOf(const trace::ModelSummary& model) {
    int heads = 0;
    for (const auto kind : trace::attentionKinds)
        heads += model.layers(kind) * model.heads(kind);
    return heads;
}

QString beforeTheChange() {
    return ImportanceView::tr("Measured before the model was changed: measure again for the changed model.");
}

} // namespace

ImportanceView::ImportanceView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), contrast_(new ContrastField(selection, this)),
      scope_(new QComboBox(this)), kind_(new QComboBox(this)), caption_(wrappedLabel(this)),
      pages_(new QStackedWidget(this)), choices_(buildChoices()), hint_(wrappedLabel(this)),
      measure_(new QPushButton(tr("Measure Head Importance"), this)),
      again_(new QPushButton(tr("Measure Again"), this)), progress_(new QProgressBar(this)),
      table_(new ColumnTable(this, ColumnTable::NoRoom::Drop)) {
    setAccessibleName(tr("Head importance"));
    pages_->insertWidget(EmptyPage, buildEmpty());
    pages_->insertWidget(ProgressPage, buildProgress());
    pages_->insertWidget(ListPage, table_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(importanceViewMargin, importanceViewMargin, importanceViewMargin,
                               importanceViewMargin);
    column->setSpacing(6);
    column->addWidget(contrast_);
    column->addWidget(choices_);
    column->addWidget(caption_);
    column->addWidget(again_, 0, Qt::AlignLeft);
    column->addWidget(pages_, 1);
    again_->setToolTip(tr("Measure the head importance in the changed model"));
    connect(again_, &QPushButton::clicked, this, &ImportanceView::measureRequested);
    connect(measure_, &QPushButton::clicked, this, &ImportanceView::measureRequested);
    table_->setAccessibleName(tr("Heads by importance"));
    table_->setSortable(ImportanceColumns::Rank, Qt::AscendingOrder);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->followHeads(selection);
    connect(table_, &ColumnTable::rowEntered, this,
            [this](int row) { Q_EMIT headOpened(scores()[static_cast<std::size_t>(row)].head); });
    connect(table_, &ColumnTable::rowDoubleClicked, this,
            [this](int row) { Q_EMIT headToggled(scores()[static_cast<std::size_t>(row)].head); });
    connect(scope_, &QComboBox::currentIndexChanged, this, &ImportanceView::showScores);
    connect(kind_, &QComboBox::currentIndexChanged, this, [this](int index) {
        rows_.kind = index > 0 ? std::optional(trace::attentionKinds[static_cast<std::size_t>(index - 1)])
                               : std::nullopt;
        table_->setContent(ImportanceColumns::content(rows_));
    });
    connect(selection_, &Selection::stepChanged, this, [this] {
        if (scope_->currentIndex() == StepScope)
            showScores();
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
    connect(cancel, &QPushButton::clicked, this, &ImportanceView::cancelRequested);
    return page;
}

void ImportanceView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    refusal_.clear();
    contrast_->setRun(run_);
    rows_.model = run_ ? run_->model : nullptr;
    measureAgain();
    showState();
}

void ImportanceView::setImportance(std::shared_ptr<const trace::HeadImportance> importance) {
    importance_ = std::move(importance);
    measureAgain();
    showState();
}

void ImportanceView::setTwin(std::optional<std::uint64_t> seed,
                             std::shared_ptr<const trace::HeadImportance> twin) {
    twinSeed_ = seed;
    twin_ = std::move(twin);
    showScores();
}

/// Of the same tokens alone: at the end of a reference each model has a token of its own.
std::optional<std::vector<analysis::HeadScore>> ImportanceView::twinScores() const {
    if (!twinSeed_ || !isKnown())
        return std::nullopt;
    const auto step = scope();
    const bool isSame = twin_ && (step ? *step < twin_->tokens.size() &&
                                             twin_->tokens[*step].id == importance_->tokens[*step].id
                                       : std::ranges::equal(twin_->tokens, importance_->tokens, {},
                                                            &trace::Token::id, &trace::Token::id));
    return isSame ? analysis::headScores(*twin_, step) : std::vector<analysis::HeadScore>();
}

void ImportanceView::setEarlier(bool earlier) {
    earlier_ = earlier;
}

void ImportanceView::setMeasuring(bool measuring) {
    measuring_ = measuring;
    if (measuring)
        refusal_.clear();
    showState();
}

void ImportanceView::showRefusal(const trace::RefusalText& text) {
    refusal_ = QString::fromStdString(trace::paragraph(text));
    showState();
}

ImportanceScope ImportanceView::scope() const {
    const bool isOfStep = scope_->currentIndex() == StepScope && !run_->target.empty(); // masks are no steps
    const bool isOne = isOfStep || importance_->tokens.size() < 2;
    const auto last = std::max<std::size_t>(1, importance_->tokens.size()) - 1;
    return isOne ? std::optional(std::min(static_cast<std::size_t>(std::max(0, selection_->step())), last))
                 : std::nullopt;
}

void ImportanceView::showState() {
    const QString whyNot = whyNotMeasured(run_.get(), *this);
    hint_->setText(
        !refusal_.isEmpty() ? refusal_
        : whyNot.isEmpty()
            ? tr("Lists every head with the log-probability that the output loses without the head.")
            : whyNot);
    measure_->setEnabled(whyNot.isEmpty());
    measure_->setToolTip(whyNot.isEmpty() ? tr("Ablate each head in turn") : whyNot);
    measure_->setVisible(!run_ || !run_->model || !run_->model->recorded); // a trace holds it, or does not
    pages_->setCurrentIndex(isKnown() ? ListPage : measuring_ ? ProgressPage : EmptyPage);
    const bool decodes = run_ && !run_->target.empty(); // else there is one step and one kind
    choices_->setVisible(isKnown() && decodes);
    caption_->setVisible(isKnown());
    again_->setVisible(isKnown() && earlier_);
    showProgress();
    showScores();
}

void ImportanceView::showProgress() {
    progress_->setRange(0, run_ && run_->model ? headsOf(*run_->model) : 1);
    progress_->setValue(importance_ ? static_cast<int>(importance_->effects.size()) : 0);
}

void ImportanceView::showScores() {
    rows_.scores =
        isKnown() ? analysis::headScores(*importance_, scope()) : std::vector<analysis::HeadScore>();
    analysis::rankByImportance(rows_.scores);
    rows_.tokens = isKnown() && !scope() ? importance_->tokens.size() : 1;
    rows_.twin = twinScores();
    table_->setContent(ImportanceColumns::content(rows_));
    showCaption();
    Q_EMIT scoresChanged();
}

/// Short where it would leave no room for the list; the whole is in the tooltip then.
void ImportanceView::showCaption() {
    const QString whole = listCaption();
    const QRect room(0, 0, std::max(1, contentsRect().width() - 2 * importanceViewMargin), 1000);
    const int high = fontMetrics().boundingRect(room, Qt::TextWordWrap, whole).height();
    const bool isShort = isKnown() && high > height() / 4;
    const QString when = earlier_ ? ' ' + beforeTheChange() : QString();
    caption_->setText(isShort ? shortImportanceCaption(*importance_, *run_, scope()) + when : whole);
    caption_->setToolTip(isShort ? plainToolTip(whole) : QString());
}

void ImportanceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showCaption();
}

QSize ImportanceView::minimumSizeHint() const {
    return {24 * fontMetrics().averageCharWidth(), 7 * fontMetrics().height()};
}

QString ImportanceView::caption() const {
    if (!isKnown())
        return {};
    const QString words = importanceCaption(*importance_, *run_, scope());
    return earlier_ ? words + ' ' + beforeTheChange() : words;
}

QString ImportanceView::listCaption() const {
    return isKnown() && twinSeed_ ? tr("%1 Twin: the same with random weights, seed %2.")
                                        .arg(caption(), QString::number(*twinSeed_))
                                  : caption();
}

std::optional<trace::HeadAddress> ImportanceView::headAt(QPoint position) const {
    const QPoint inside = table_->viewport()->mapFrom(this, position);
    return isKnown() && table_->viewport()->rect().contains(inside) ? table_->headAt(inside) : std::nullopt;
}

/// A figure's facts are those of the shown run.
bool ImportanceView::hasFigure() const {
    return !table_->rows().empty() && !earlier_;
}

void ImportanceView::measureAnimation() {
    animationLimit_ = 0;
    for (std::size_t step = 0; isKnown() && step < importance_->tokens.size(); ++step)
        animationLimit_ =
            std::max(animationLimit_, analysis::largestImportance(analysis::headScores(*importance_, step)));
}

/// Bars of all frames of an animation have one scale.
double ImportanceView::limit() const {
    return isAnimated() ? std::max(rows_.limit(), animationLimit_) : rows_.limit();
}

TableFigure ImportanceView::figure() const {
    TableFigure figure = table_->figure();
    figure.caption = listCaption();
    figure.longestBar = limit();
    figure.font = font();
    figure.parts = figureParts();
    return figure;
}

void ImportanceView::drawFigure(QPainter& painter, QSize size, const Theme& theme) const {
    painter.fillRect(QRect(QPoint(), size), theme.background);
    if (hasFigure())
        figure().draw(painter, QRectF(QPointF(), QSizeF(size)), theme);
}

FigureText ImportanceView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = importanceTitle(*importance_, *run_, scope()),
            .caption = listCaption(),
            .provenance = provenance(*run_),
            .quantity = tr("importance")};
}

QSize ImportanceView::figureSize() const {
    return hasFigure() ? figure().size() : FigureSource::figureSize();
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
                                       dataColumn("divergence", divergence)}};
    if (ofTwin)
        table.columns.push_back(dataColumn("twin", twin));
    return {.tables = {std::move(table)}};
}

std::optional<PictureOptions> ImportanceView::picture(PictureOptions options) const {
    return ofView(std::move(options), "importance");
}

void ImportanceView::addChoices(ViewChoices& choices) {
    choices.add("importance", "of", control<QComboBox>(this, "of"));
    choices.add("importance", "kind", control<QComboBox>(this, "kind"));
}

} // namespace headscope::widgets

#include "widgets/views/scale/scale_view.h"

#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/runs_beside.h"
#include "model/analysis/scores/softmax_temperature.h"
#include "widgets/controls/card_columns.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/plain_spin_boxes.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/axis_numbers.h"
#include "widgets/drawing/spacing.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/bars_picture.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/view_spec.h"
#include "widgets/views/places.h"
#include "widgets/views/scale/score_plots.h"
#include "widgets/words/captions.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr int temperatureSliderSteps = 600; ///< both ends and 1 are on steps

double share(double temperature) {
    return std::log(temperature / analysis::lowestTemperature) /
           std::log(analysis::highestTemperature / analysis::lowestTemperature);
}

} // namespace

ScaleView::ScaleView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), bar_(new QWidget(this)), line_(wrappedLabel(bar_)),
      columns_(new CardColumns(1, 1, this)), scopes_(new QComboBox(bar_)),
      twinButton_(new QPushButton(tr("Measure the Random Twin"), this)), slider_(new TemperatureSlider(this)),
      temperatureBox_(new NumberBox(analysis::lowestTemperature, analysis::highestTemperature, 0.1, this)),
      reset_(new QPushButton(tr("Reset"), this)), unscaled_(new QPushButton(tr("No Scaling"), this)),
      apply_(new QPushButton(tr("Decode with This"), this)),
      scoresPlot_(new ReadablePlot(tr("Distribution of the scores"), this)),
      variancePlot_(new ReadablePlot(tr("Variance of the heads' products over d_k"), this)),
      varianceTable_(new ColumnTable(this)),
      rowPlot_(new ReadablePlot(tr("Soft and hard attention of the row"), this)),
      mapPlot_(new ReadablePlot(tr("The map at this temperature"), this)),
      curvePlot_(new ReadablePlot(tr("Entropy over the temperature"), this)),
      entropiesPlot_(new ReadablePlot(tr("Entropy of every head's rows"), this)),
      hardPlot_(new ReadablePlot(tr("Weight of the top-scoring key in each head"), this)),
      curvesPlot_(new ReadablePlot(tr("Every head's entropy over the temperature"), this)) {
    setAccessibleName(tr("Scaling"));
    buildBar();
    buildCards();
    connectPlots();
    connect(selection_, &Selection::headChanged, this, &ScaleView::headChanged);
    // The highlighted row, else the row of the step, is shown.
    const auto follow = [this] {
        if (isVisible() &&
            !showsHeads()) // otherwise on showEvent(): this is called for every move of the pointer
            showTemperature();
    };
    connect(selection_, &Selection::stepChanged, this, follow);
    connect(selection_, &Selection::focusChanged, this, follow);
    headChanged();
}

void ScaleView::buildBar() {
    static_cast<WrappedLabel*>(line_)->setLines(1);
    line_->setForegroundRole(QPalette::PlaceholderText);
    scopes_->addItems({tr("This head"), tr("All heads of its layer"), tr("All heads of the model")});
    scopes_->setAccessibleName(tr("Heads whose scores are counted"));
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(space::xs, 0, 0, 0);
    row->addWidget(line_, 1);
    row->addWidget(scopes_);
    connect(scopes_, &QComboBox::currentIndexChanged, this, &ScaleView::showPage);
    connect(twinButton_, &QPushButton::clicked, this, [this] { setMeasuringTwin(!measuringTwin_); });
}

/// One line if there is room, more lines if the text is large.
QWidget* ScaleView::controls() {
    temperatureBox_->setAccessibleName(tr("Temperature of the softmax, as a number"));
    temperatureBox_->setToolTip(tr("Divides the scores: below 1 rows sharpen, above 1 they soften"));
    temperatureBox_->setValue(temperature_);
    slider_->setTemperature(temperature_);
    slider_->setToolTip(temperatureBox_->toolTip());
    slider_->setMinimumWidth(160);
    reset_->setToolTip(tr("Temperature 1: the original weights of the run"));
    connect(reset_, &QPushButton::clicked, this, [this] { setTemperature(1); });
    unscaled_->setCheckable(true); // checked while its temperature is shown
    connect(unscaled_, &QPushButton::clicked, this, [this] {
        setTemperature(droppedScale());
        showTemperatureControls(); // so that a second click keeps it checked
    });
    connect(slider_, &TemperatureSlider::temperatureChanged, this, &ScaleView::setTemperature);
    connect(temperatureBox_, &QDoubleSpinBox::valueChanged, this, &ScaleView::setTemperature);
    connect(apply_, &QPushButton::clicked, this, [this] {
        const double wanted = temperature_;
        setTemperature(1); // the next run has the temperature in its scores
        Q_EMIT intended(intents::DivideScores{wanted});
    });
    auto* all = new QWidget(this);
    auto* row = new FlowLayout(all);
    for (QWidget* control :
         std::initializer_list<QWidget*>{slider_, temperatureBox_, reset_, unscaled_, apply_})
        row->addWidget(control);
    return all;
}

QWidget* ScaleView::variancePage() {
    varianceTable_->setAccessibleName(tr("Variance of every head"));
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(variancePlot_, 3);
    column->addWidget(varianceTable_, 1);
    return page;
}

QWidget* ScaleView::temperaturePage() {
    auto* page = new QWidget(this);
    grid_ = new QGridLayout(page);
    grid_->setContentsMargins(0, 0, 0, 0);
    return page;
}

QWidget* ScaleView::newCard(Page page, const QString& title, QWidget* controls,
                            const std::vector<QWidget*>& pages) {
    auto* content = new QWidget(this);
    Card& card = cards_[page];
    card = {.head = new CardHead(title, QString(), content),
            .pages = new QStackedWidget(content),
            .missing = wrappedLabel(content)};
    card.missing->setAlignment(Qt::AlignCenter);
    for (QWidget* each : pages)
        card.pages->addWidget(each);
    card.pages->addWidget(card.missing);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(card.head);
    if (controls)
        column->addWidget(controls);
    column->addWidget(card.pages, 1);
    return content;
}

void ScaleView::buildCards() {
    columns_->add(0, newCard(Page::Scores, tr("Scores"), nullptr, {scoresPlot_}), 1, 14);
    columns_->add(0, newCard(Page::Variance, tr("Variance"), nullptr, {variancePage()}), 1, 14);
    auto* temperature =
        newCard(Page::Temperature, tr("Temperature"), controls(), {temperaturePage(), headsPage()});
    columns_->add(1, temperature, 1, 30);
    cards_[Page::Scores].head->setSubtitle(tr("with and without the factor of q · k"));
    cards_[Page::Variance].head->setSubtitle(tr("of q · k, over d_k"));
    cards_[Page::Variance].head->add(twinButton_);
    for (const Card& card : cards_)
        card.pages->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(bar_);
    column->addWidget(columns_, 1);
    connect(columns_, &CardColumns::entered, this, [this](const QWidget* widget) {
        for (const Page page : {Page::Scores, Page::Variance, Page::Temperature})
            if (cards_[page].head->parentWidget()->isAncestorOf(widget))
                page_ = page;
    });
}

/// Plots of a card stand beside each other where there is room.
void ScaleView::fit() {
    const int line = fontMetrics().height();
    const bool isNarrow = cards_[Page::Temperature].pages->width() < 32 * line;
    grid_->addWidget(rowPlot_, 0, 0, 1, isNarrow ? 2 : 1);
    grid_->addWidget(mapPlot_, isNarrow ? 1 : 0, isNarrow ? 0 : 1, 1, isNarrow ? 2 : 1);
    grid_->addWidget(curvePlot_, 2, 0, 1, 2);
    for (int row = 0; row < 3; ++row)
        grid_->setRowStretch(row, row == 2 ? 2 : row == 0 || isNarrow ? 3 : 0);
    for (const int column : {0, 1})
        grid_->setColumnStretch(column, 1);
    fitHeads(isNarrow);
    for (ReadablePlot* plot : {rowPlot_, mapPlot_, curvePlot_, entropiesPlot_, hardPlot_, curvesPlot_})
        plot->setMinimumHeight(10 * line);
    // The plot can also be read as a table, so a low card needs no second scrolling one.
    varianceTable_->setVisible(cards_[Page::Variance].pages->height() >= 16 * line);
}

bool ScaleView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        fit();
    return View::eventFilter(watched, event);
}

void ScaleView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && grid_)
        fit();
}

void ScaleView::connectPlots() {
    for (ReadablePlot* plot : findChildren<ReadablePlot*>())
        connect(plot, &ReadablePlot::markDescribed, this, &ScaleView::cellDescribed);
    connectHeads();
    connect(variancePlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        if (const auto* answer = known())
            selection_->setHead(answer->spreads[mark.column].head);
    });
    connect(curvePlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        const auto& curve = known()->curve;
        setTemperature(curve.temperatures[mark.column]);
    });
    // Hovering a row of the map shows it as bars.
    connect(mapPlot_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        const int keys = mapPlot_->columnCount() - 1;
        light(mark ? std::optional(mark->row) : std::nullopt,
              mark && mark->column < keys ? std::optional(mark->column) : std::nullopt);
    });
    connect(rowPlot_, &ReadablePlot::cursorMoved, this, [this](std::optional<MapCell> mark) {
        light(mark ? std::optional(row()) : std::nullopt, mark ? std::optional(mark->row) : std::nullopt);
    });
    connect(mapPlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        const auto kind = selection_->head().site.kind;
        if (kind == trace::AttentionKind::EncoderSelf)
            selection_->togglePinned(TokenFocus::cell(kind, mark.row, std::nullopt));
        else
            selection_->setStep(mark.row);
    });
}

void ScaleView::light(std::optional<int> query, std::optional<int> key) {
    selection_->setHover(query || key ? TokenFocus::cell(selection_->head().site.kind, query, key)
                                      : TokenFocus());
}

void ScaleView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    twin_.clear();
    twinRefusal_.clear();
    measuringTwin_ = false;
    headChanged();
}

void ScaleView::headChanged() {
    scores_ = run_ && !isLong() ? analysis::openScores(*run_, selection_->head()) : std::nullopt;
    showPage();
}

std::vector<ScaleView::Page> ScaleView::pagesInSight() const {
    return isPicture_ ? std::vector{page()} : std::vector{Page::Scores, Page::Variance, Page::Temperature};
}

ScoreScope ScaleView::scope() const {
    return static_cast<ScoreScope>(scopes_->currentIndex());
}

int ScaleView::row() const {
    const auto kind = selection_->head().site.kind;
    const auto step = kind == trace::AttentionKind::EncoderSelf ? trace::TokenIndex() : selection_->step();
    const std::size_t rows = scores_ ? scores_->scores.rows() : 0;
    return rows == 0 ? 0 : std::min<std::size_t>(selection_->focus().query(kind).value_or(step), rows - 1);
}

void ScaleView::setPage(Page page) {
    page_ = page;
    showPage();
}

void ScaleView::setScope(ScoreScope scope) {
    scopes_->setCurrentIndex(static_cast<int>(scope));
}

void ScaleView::setTemperature(double temperature) {
    temperature = std::clamp(temperature, analysis::lowestTemperature, analysis::highestTemperature);
    if (temperature == temperature_)
        return;
    temperature_ = temperature;
    slider_->setTemperature(temperature);
    const QSignalBlocker quiet(temperatureBox_);
    temperatureBox_->setValue(temperature);
    showTemperatureControls();
    showTemperature();
    if (hasFigure(Page::Variance))
        showVariance();
    for (const Page page : pagesInSight())
        showCard(page, page == Page::Temperature && showsHeads() ? 1 : 0);
    Q_EMIT questionsChanged();
}

void ScaleView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    showTemperature();
}

bool ScaleView::isLong() const {
    const auto head = selection_->head();
    const auto* record = run_ ? run_->recordOf(head) : nullptr;
    return record && record->isRecomputed();
}

/// Keeps the results of this model while another head or run is computed, so that nothing flickers.
const ScaleAnswer* ScaleView::known() const {
    return answer_ && run_ && answer_->question.run->model == run_->model ? &*answer_ : nullptr;
}

ScaleQuestion ScaleView::questionOf(Page page) const {
    if (showsHeads(page)) {
        const auto head = selection_->head();
        return {.run = run_,
                .head = scope() == ScoreScope::Head    ? head
                        : scope() == ScoreScope::Layer ? trace::HeadAddress{.site = head.site}
                                                       : trace::HeadAddress{},
                .scope = scope(),
                .counts = ScaleCounts::Heads,
                .temperature = temperature_};
    }
    if (isLong() && page == Page::Variance)
        return {.run = run_, .counts = ScaleCounts::Spreads};
    return {.run = run_,
            .head = selection_->head(),
            .scope = scope(),
            .counts = isLong() ? ScaleCounts::Scores : ScaleCounts::All,
            // Only the scores page depends on the temperature.
            .temperature = page == Page::Scores ? temperature_
                           : answer_            ? answer_->question.temperature
                                                : 1};
}

/// The twin first: it is soon there.
std::vector<trace::Wanted> ScaleView::questions() const {
    std::vector<trace::Wanted> questions;
    if (const auto twin = measuringTwin())
        questions.emplace_back(trace::Counted(*twin));
    if (!hasHead())
        return questions;
    for (const Page page : pagesInSight()) {
        auto shown = questionOf(page);
        shown.before = showsHeads(page) ? heads_ : answer_;
        const trace::Wanted wanted = trace::Counted(std::move(shown));
        if (std::ranges::find(questions, wanted) == questions.end())
            questions.push_back(wanted);
    }
    return questions;
}

void ScaleView::refresh() {
    refreshTwin();
    if (!hasHead())
        return;
    for (const Page page : pagesInSight()) {
        const auto answer = context().known->of(questionOf(page));
        if (answer && answer != taken_[page]) {
            const bool isNew =
                std::ranges::none_of(taken_, [&](const auto& taken) { return taken.second == answer; });
            taken_[page] = answer;
            if (isNew)
                take(answer);
            continue;
        }
        const QString why = refusal(page);
        const double share = shareCounted(page);
        const bool isRefused = std::exchange(saidRefusals_[page], why) != why;
        if (isRefused || std::exchange(saidShares_[page], share) != share)
            showCard(page, showsHeads(page) ? 1 : 0);
        if (isRefused)
            Q_EMIT questionsChanged();
    }
}

std::optional<TwinSpreads> ScaleView::measuringTwin() const {
    if (!measuringTwin_ || !run_ || !run_->complete)
        return std::nullopt;
    return TwinSpreads{
        analysis::twinReadingRequest(analysis::shownRequest(*run_), *run_, context().document->twinSeed)};
}

void ScaleView::refreshTwin() {
    const auto twin = measuringTwin();
    if (!twin)
        return;
    const auto spreads = context().known->of(*twin);
    const auto refusal = context().known->refusalOf(trace::Counted(*twin));
    if (!spreads && !refusal)
        return;
    if (spreads) {
        twin_ = *spreads;
        twinShownOf_ = context().document->twinSeed;
        varianceShownAt_.reset();
    }
    twinRefusal_ = inWords(refusal);
    setMeasuringTwin(false);
}

std::optional<ScaleQuestion> ScaleView::question(Page page) const {
    if (!hasHead())
        return std::nullopt;
    const auto asks = questionOf(page);
    const bool isRefused = !refusal(page).isEmpty();
    if (asks.counts == ScaleCounts::Heads)
        return isRefused || (heads_ && heads_->question == asks) ? std::nullopt : std::optional(asks);
    if (isRefused || (answer_ && answer_->question == asks))
        return std::nullopt;
    if (asks.counts == ScaleCounts::All || !answer_ || answer_->question.run != run_)
        return asks;
    // For long maps, the answers to both counts are kept.
    const bool isDone = asks.counts == ScaleCounts::Spreads
                            ? !answer_->spreads.empty()
                            : answer_->scores.ofScaled.cells > 0 && answer_->question.head == asks.head &&
                                  answer_->question.scope == asks.scope &&
                                  answer_->scores.temperature == asks.temperature;
    return isDone ? std::nullopt : std::optional(asks);
}

QString ScaleView::refusal(Page page) const {
    return hasHead() ? inWords(context().known->refusalOf(trace::Counted(questionOf(page)))) : QString();
}

double ScaleView::shareCounted(Page page) const {
    return hasHead() ? context().known->shareOf(trace::Counted(questionOf(page))) : 0;
}

/// Of one run, what the answer lacks and the one before has stays: of long maps either is counted alone.
void ScaleView::take(const std::shared_ptr<const ScaleAnswer>& answer) {
    if (answer->question.counts == ScaleCounts::Heads) {
        heads_ = answer;
        return showPage();
    }
    auto whole = std::make_shared<ScaleAnswer>(*answer);
    const bool isOfTheSame = answer_ && answer_->question.run == answer->question.run;
    if (isOfTheSame && answer->question.counts == ScaleCounts::Spreads) {
        whole->scores = answer_->scores;
        whole->question.head = answer_->question.head;
        whole->question.scope = answer_->question.scope;
        whole->question.temperature = answer_->question.temperature;
    }
    if (isOfTheSame && whole->spreads.empty())
        whole->spreads = answer_->spreads;
    if (!isOfTheSame || whole->spreads.size() != answer_->spreads.size())
        varianceShownAt_.reset();
    answer_ = std::move(whole);
    showPage();
}

void ScaleView::setMeasuringTwin(bool measuring) {
    measuringTwin_ = measuring;
    if (measuring)
        twinRefusal_.clear();
    showPage();
}

/// Returns the temperature at which the softmax of the run's scores is softmax(q k); 1 if there is none, as
/// with a distance bias.
double ScaleView::droppedScale() const {
    if (!run_ || !run_->model || !isScaleKnown() ||
        analysis::distanceBias(*run_, selection_->head().site.kind) ||
        analysis::hasDisentangledScores(*run_, selection_->head().site.kind))
        return 1;
    return analysis::scoreScale(*run_, run_->model->headWidth).factor;
}

/// A trace may not contain the scale.
bool ScaleView::isScaleKnown() const {
    return !run_ || !run_->model || !run_->model->recorded ||
           analysis::scoreScale(*run_, run_->model->headWidth).isKnown;
}

/// `which`: of the pages of its card.
bool ScaleView::showCard(Page page, int which) {
    const bool any = hasFigure(page);
    const Card& card = cards_[page];
    const QString words = caption(page);
    card.pages->setCurrentIndex(any ? which : card.pages->count() - 1);
    card.missing->setText(any ? QString() : words);
    card.head->setHelp(any ? words : QString());
    return any;
}

void ScaleView::showPage() {
    const bool hasScores = showCard(Page::Scores), hasVariance = showCard(Page::Variance),
               hasTemperature = showCard(Page::Temperature, showsHeads() ? 1 : 0);
    const bool any = hasScores || hasTemperature;
    line_->setText(run_ && run_->model ? scalingInShort(*run_->model, droppedScale()) : QString());
    twinButton_->setEnabled(hasVariance || measuringTwin_);
    twinButton_->setText(measuringTwin_ ? tr("Stop Measuring") : tr("Measure the Random Twin"));
    twinButton_->setToolTip(
        !hasVariance ? whyNothing(Page::Variance)
        : measuringTwin_
            ? tr("The network with random weights is running; its run is not stored")
            : tr("Run the same network with random weights on the same tokens and compare its heads"));
    slider_->setEnabled(any);
    temperatureBox_->setEnabled(any);
    showTemperatureControls();
    slider_->setMarks({1, droppedScale()});
    if (hasScores)
        scoresPlot_->setPicture(std::make_shared<DrawnPlot>(scoresPlot(known()->scores)));
    if (hasVariance)
        showVariance();
    showTemperature();
    Q_EMIT questionsChanged();
}

void ScaleView::showTemperatureControls() {
    const double dropped = droppedScale();
    unscaled_->setChecked(dropped != 1 && temperature_ == dropped);
    const bool any = hasFigure(Page::Scores) || hasFigure(Page::Temperature);
    reset_->setEnabled(any && temperature_ != 1);
    unscaled_->setEnabled(any && dropped != 1);
    unscaled_->setToolTip(
        !isScaleKnown() ? whyNoScoreScale()
        : dropped == 1  ? tr("This model has no scaling of q · k that a temperature can undo.")
                        : tr("Temperature %1 is equivalent to removing the factor of q · k: softmax(q · k)")
                             .arg(axisNumber(dropped)));
    apply_->setEnabled(any && temperature_ != 1);
    apply_->setToolTip(
        temperature_ == 1
            ? tr("The temperature is 1, the value used in training. Set a different one to decode with it.")
            : tr("Divide the scores of every head by %1 and decode again. What if lists this change and Undo "
                 "removes it. The slider then shows 1 for the changed model.")
                  .arg(axisNumber(temperature_)));
}

/// Dragging the slider recomputes only one head's rows.
void ScaleView::showTemperature() {
    if (!hasFigure(Page::Temperature))
        return;
    if (showsHeads())
        return showHeads();
    const auto kind = selection_->head().site.kind;
    const auto keys = tokenLabels(run_->keyTokens(kind));
    SoftMap map{.weights = analysis::softmaxOf(*scores_, temperature_),
                .open = scores_->open,
                .queries = tokenLabels(run_->queryTokens(kind)),
                .keys = keys,
                .row = row(),
                .spaceMarks = spaceMarks_};
    map.entropies = analysis::entropiesOfRows(*scores_, map.weights);
    const std::size_t at = row();
    const auto soft = map.weights.row(at);
    const auto open = scores_->open.row(at);
    const auto hard = analysis::hardKey(scores_->scores.row(at), open);
    std::vector<Bar> bars;
    for (std::size_t key = 0; key < keys.size(); ++key) {
        const QString number = open[key] ? numberText(soft[key]) : tr("masked");
        const double most = hard == key ? 1 : 0;
        bars.push_back({.name = keys[key],
                        .value = soft[key],
                        .number = number,
                        .words = open[key] ? tr("%1: soft attention %2, hard attention %3")
                                                 .arg(quoted(keys[key]), number, QString::number(most))
                                           : tr("%1: masked").arg(quoted(keys[key])),
                        .second = most,
                        .faint = !open[key]});
    }
    auto row = std::make_shared<BarsPicture>(std::move(bars), 1, false,
                                             QStringList{tr("soft attention"), tr("hard attention")});
    row->setSpaceMarks(spaceMarks_);
    rowPlot_->setPicture(std::move(row));
    EntropyOverTemperature shown{.temperature = temperature_,
                                 .entropy = analysis::meanEntropy(map.entropies),
                                 .without = droppedScale()};
    if (const auto* answer = known()) {
        shown.curve = answer->curve;
        const QString head = address(answer->question.head);
        if (answer->question.run != run_)
            shown.stillOf = tr("%1 of the previous run").arg(head);
        else if (answer->question.head != selection_->head())
            shown.stillOf = head;
    }
    curvePlot_->setPicture(std::make_shared<DrawnPlot>(entropyPlot(shown)));
    mapPlot_->setPicture(std::make_shared<SoftMapPicture>(std::move(map)));
    cards_[Page::Temperature].head->setHelp(caption(Page::Temperature));
}

void ScaleView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    showTemperature();
}

/// Keeps outdated heads, as known() does.
const ScaleAnswer* ScaleView::knownHeads() const {
    return heads_ && run_ && heads_->question.run->model == run_->model ? &*heads_ : nullptr;
}

bool ScaleView::areHeadsChosen() const {
    if (!heads_)
        return false;
    auto asks = questionOf(Page::Temperature);
    asks.temperature = heads_->question.temperature;
    return heads_->question == asks;
}

QWidget* ScaleView::headsPage() {
    auto* page = new QWidget(this);
    headsGrid_ = new QGridLayout(page);
    headsGrid_->setContentsMargins(0, 0, 0, 0);
    return page;
}

void ScaleView::connectHeads() {
    for (ReadablePlot* plot : {entropiesPlot_, hardPlot_})
        connect(plot, &ReadablePlot::markChosen, this, [this](MapCell mark) {
            if (const auto* answer = knownHeads())
                selection_->setHead(answer->heads[mark.column].head);
        });
    connect(curvesPlot_, &ReadablePlot::markChosen, this, [this](MapCell mark) {
        const auto* answer = knownHeads();
        if (!answer)
            return;
        const auto& [head, curve] = answer->curves[mark.row];
        const double chosen = curve.temperatures[mark.column];
        selection_->setHead(head);
        setTemperature(chosen);
    });
}

void ScaleView::fitHeads(bool isNarrow) {
    headsGrid_->addWidget(entropiesPlot_, 0, 0);
    headsGrid_->addWidget(hardPlot_, 1, 0);
    headsGrid_->addWidget(curvesPlot_, isNarrow ? 2 : 0, isNarrow ? 0 : 1, isNarrow ? 1 : 2, 1);
    for (int row = 0; row < 3; ++row)
        headsGrid_->setRowStretch(row, row == 0 ? 3 : row == 1 ? 2 : isNarrow ? 3 : 0);
    headsGrid_->setColumnStretch(0, 3);
    headsGrid_->setColumnStretch(1, isNarrow ? 0 : 2);
}

/// While the slider is dragged, the marks keep the computed temperature, and the caption says so.
void ScaleView::showHeads() {
    const auto [entropies, hard, curves] = headsPictures(selection_->head());
    entropiesPlot_->setPicture(entropies);
    hardPlot_->setPicture(hard);
    curvesPlot_->setPicture(curves);
    cards_[Page::Temperature].head->setHelp(caption(Page::Temperature));
}

std::array<std::shared_ptr<const PlotPicture>, 3>
ScaleView::headsPictures(std::optional<trace::HeadAddress> chosen) const {
    const auto& answer = *knownHeads();
    return {std::make_shared<DrawnPlot>(headEntropiesPlot(answer.heads, chosen)),
            std::make_shared<DrawnPlot>(hardHeadsPlot(answer.heads, chosen)),
            std::make_shared<DrawnPlot>(headCurvesPlot(answer.curves, answer.question.temperature, chosen))};
}

void ScaleView::showVariance() {
    if (std::exchange(varianceShownAt_, temperature_) == temperature_)
        return;
    const auto& spreads = known()->spreads;
    const int width = run_->model->headWidth;
    variancePlot_->setPicture(std::make_shared<DrawnPlot>(variancePlot(spreads, twin_, width)));
    TableColumn names{.title = tr("head")};
    TableColumn mean{.title = tr("mean"), .toolTip = tr("of q · k over the allowed cells")};
    TableColumn variance{.title = tr("variance"), .toolTip = tr("of q · k over the allowed cells")};
    TableColumn overWidth{.title = tr("/ d_k"), .toolTip = tr("variance over d_k = %1").arg(width)};
    TableColumn divided{.title = tr("score / %1").arg(axisNumber(temperature_)),
                        .toolTip =
                            tr("variance of the softmax's input, over the square of the temperature %1")
                                .arg(axisNumber(temperature_))};
    TableColumn twin{.title = tr("twin"),
                     .toolTip = tr("the same head's variance with random weights"),
                     .hidden = twin_.empty()};
    for (const auto& spread : spreads) {
        names.tokens.push_back({.text = address(spread.head)});
        mean.numbers.emplace_back(spread.products.mean);
        variance.numbers.emplace_back(spread.products.variance);
        overWidth.numbers.emplace_back(spread.products.variance / width);
        divided.numbers.emplace_back(analysis::dividedBy(temperature_, spread.scores).variance);
        const auto same = std::ranges::find(twin_, spread.head, &analysis::HeadSpread::head);
        twin.numbers.push_back(same == twin_.end() ? std::nullopt : std::optional(same->products.variance));
    }
    for (const auto initialisation : analysis::initialisations) {
        const double given = analysis::varianceAtFirst(initialisation, width);
        names.tokens.push_back({.text = tr("initialised: %1").arg(initialisationName(initialisation))});
        variance.numbers.emplace_back(given);
        overWidth.numbers.emplace_back(given / width);
        for (auto* column : {&mean, &divided, &twin})
            column->numbers.emplace_back();
    }
    varianceTable_->setColumns({names, mean, variance, overWidth, divided, twin});
}

bool ScaleView::hasFigure(Page page) const {
    if (!hasHead() || (scores_ && scores_->scores.empty()))
        return false;
    if (page == Page::Temperature)
        return showsHeads() ? knownHeads() && !knownHeads()->heads.empty() : scores_.has_value();
    const auto* answer = known();
    return answer && (page == Page::Scores ? answer->scores.ofScaled.cells > 0
                                           : !answer->spreads.empty() && run_->model->headWidth > 0);
}

/// Includes the progress of long computations.
QString ScaleView::countingInWords(Page page) const {
    return isLong() ? tr("Computing: %1.").arg(shareInWords(shareCounted(page))) : tr("Computing...");
}

/// Empty if the run comes from a model, or if the trace has all that the page needs.
QString ScaleView::whatTheTraceLacks(Page page) const {
    if (!run_->model || !run_->model->recorded)
        return {};
    const auto* record = run_->record(selection_->head().site);
    if (record && analysis::lacksScores(*record))
        return whyNoScores();
    if (page == Page::Temperature)
        return {};
    if (!isScaleKnown())
        return whyNoScoreScale();
    return page == Page::Variance && run_->model->headWidth == 0 ? whyNoHeadWidth() : QString();
}

QString ScaleView::whyNothing(Page page) const {
    if (!run_)
        return hintForNoRun(*this);
    if (run_->model && run_->model->recorded && !run_->record(selection_->head().site))
        return whyNoHead(*run_, selection_->head());
    if (const QString lacks = whatTheTraceLacks(page); !lacks.isEmpty())
        return lacks;
    if (!hasHead())
        return tr("This model has no such head: press 1, 2 or 3 for another kind.");
    if (const QString why = refusal(page); !why.isEmpty())
        return why;
    if (question(page))
        return countingInWords(page);
    return tr("No values: all cells are masked, the scores are not finite, or they were multiplied by 0.");
}

QString ScaleView::temperatureCaption() const {
    const auto kind = selection_->head().site.kind;
    const auto weights = analysis::softmaxOf(*scores_, temperature_);
    const auto entropy = analysis::meanEntropy(analysis::entropiesOfRows(*scores_, weights));
    QString words = tr("%1: softmax(score / %2). Row %3 next to hard attention (all weight on the largest "
                       "score), the map with each row's entropy, and the rows' mean entropy%4. For this head "
                       "only: later layers are not recomputed.")
                        .arg(ofModel(*run_->model, headTitle(*run_->model, selection_->head())),
                             axisNumber(temperature_), queryInWords(*run_, kind, row()),
                             entropy ? tr(", now %1 bits").arg(numberText(*entropy)) : QString());
    if (const auto* answer = known();
        answer && answer->question.head == selection_->head() && !answer->curve.entropies.empty())
        words += QChar(' ') + tr("Dash-dotted: uniform attention over the allowed keys, %1 bits.")
                                  .arg(numberText(answer->curve.even));
    if (!scores_->forced.empty())
        words += QChar(' ') + tr("Rows forced by a what-if keep their weights at every temperature.");
    const auto scale = analysis::scoreScale(*run_, run_->model->headWidth);
    if (scale.temperature != 1)
        words +=
            QChar(' ') +
            tr("A what-if already divides the scores of the run by %1.").arg(axisNumber(scale.temperature));
    return words;
}

/// Of the page, and of what it is computed anew for.
QString ScaleView::pageCaption(Page page) const {
    const auto computing = tr("Computing temperature %1...").arg(axisNumber(temperature_));
    if (page == Page::Scores) {
        const QString words = scoresCaption(*known());
        return known()->scores.temperature != temperature_ && refusal(page).isEmpty()
                   ? words + QChar(' ') + computing
                   : words;
    }
    if (page == Page::Variance) {
        QString words = varianceCaption(*run_->model, temperature_);
        if (!twin_.empty())
            words +=
                QChar(' ') + tr("Hollow: the same network with random weights (seed %1).").arg(twinShownOf_);
        if (measuringTwin_)
            words += QChar(' ') + tr("The network with random weights is running on the same tokens...");
        else if (!twinRefusal_.isEmpty())
            words += QChar(' ') + twinRefusal_;
        return words;
    }
    if (!showsHeads(page))
        return temperatureCaption();
    const auto& question = knownHeads()->question;
    const QString words = headsCaption(*knownHeads()) + QChar(' ');
    if (const QString why = refusal(page); !why.isEmpty())
        return words + why;
    if (!areHeadsChosen())
        return words + (question.run != run_ ? tr("For the previous run.") + QChar(' ') : QString()) +
               tr("Computing the new selection: %1.").arg(shareInWords(shareCounted(page)));
    return temperature_ != question.temperature ? words + computing : words.trimmed();
}

QString ScaleView::caption(Page page) const {
    if (!hasFigure(page))
        return whyNothing(page);
    const QString words = pageCaption(page);
    if (showsHeads(page))
        return words;
    const bool isOfAnother = page != Page::Temperature && known()->question.run != run_;
    if (const QString why = refusal(page); !why.isEmpty())
        return words + QChar(' ') + (isOfAnother ? tr("For the previous run.") + QChar(' ') : QString()) +
               why;
    if (isLong() && question(page))
        return words + QChar(' ') + (isOfAnother ? tr("For the previous run.") + QChar(' ') : QString()) +
               tr("Computing the new selection: %1.").arg(shareInWords(shareCounted(page)));
    return isOfAnother ? words + QChar(' ') + tr("For the previous run; computing the new one...") : words;
}

/// Row and map side by side above the curve; below each other on a narrow page.
FigureBlock ScaleView::temperatureBlock() const {
    auto map = mapPlot_->picture();
    if (const auto soft = std::dynamic_pointer_cast<const SoftMapPicture>(map);
        soft && !figureParts().marks) {
        auto unmarked = std::make_shared<SoftMapPicture>(*soft);
        unmarked->setRow(-1);
        map = std::move(unmarked);
    }
    const auto plots = [&](double above, double below) {
        std::vector blocks{plotBlock(rowPlot_->picture(), font(), shaped(above)),
                           plotBlock(map, font(), shaped(above)),
                           plotBlock(curvePlot_->picture(), font(), shaped(below))};
        blocks[1].note = [map, font = font()](const QRectF& area) {
            const auto soft = std::dynamic_pointer_cast<const SoftMapPicture>(map);
            return soft ? soft->namedInWords(area, font) : QString();
        };
        return blocks;
    };
    const auto wide = plots(0.86, 0.28);
    return eitherOf(stacked({beside({wide[0], wide[1]}, {1, 1}), wide[2]}), stacked(plots(0.66, 0.66)));
}

FigureBlock ScaleView::headsBlock() const {
    const auto pictures =
        headsPictures(figureParts().marks ? std::optional(selection_->head()) : std::nullopt);
    const auto plot = [&](std::size_t at, double shape) {
        return plotBlock(pictures[at], font(), shaped(shape));
    };
    auto block = beside({stacked({plot(0, 0.7), plot(1, 0.46)}), plot(2, 1.7)}, {3, 2});
    block.size = shaped(plotShape, FigureBlocks::usualWidth);
    return block;
}

std::optional<FigureBlocks> ScaleView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const auto* plot = page() == Page::Scores ? scoresPlot_ : variancePlot_;
    return FigureBlocks{.picture = showsHeads(page())            ? headsBlock()
                                   : page() == Page::Temperature ? temperatureBlock()
                                                                 : plotBlock(plot->picture(), font()),
                        .caption = caption(),
                        .font = font()};
}

/// Heads of the figure as part of its name; empty for all heads of the model. `counted` is null for the row
/// and map of one head.
QString ScaleView::headsInFigure(const ScaleQuestion* counted) const {
    const auto head = counted ? counted->head : selection_->head();
    const auto scope = counted ? counted->scope : ScoreScope::Head;
    if (page() == Page::Variance || scope == ScoreScope::Model)
        return {};
    return QString::fromStdString(scope == ScoreScope::Layer ? trace::toString(head.site)
                                                             : trace::toString(head));
}

FigureText ScaleView::figureText() const {
    const auto* answer = showsHeads(page()) ? knownHeads() : page() == Page::Temperature ? nullptr : known();
    const auto& of = answer ? answer->question.run : run_; // the previous run until the new one is computed
    const QString quantity = page() == Page::Scores     ? quantityName(Quantity::Scores)
                             : page() == Page::Variance ? tr("variance of q \u00B7 k")
                             : showsHeads(page())       ? tr("entropy")
                                                        : quantityName(Quantity::Weights);
    return {.title = tr("Scaling"),
            .caption = caption(),
            .provenance = of ? provenance(*of) : QString(),
            .head = hasFigure() ? headsInFigure(answer ? &answer->question : nullptr) : QString(),
            .quantity = quantity};
}

trace::FigureData ScaleView::figureData() const {
    if (!hasFigure())
        return {};
    if (showsHeads(page()))
        return headsData(*knownHeads());
    if (page() == Page::Temperature) {
        const auto kind = selection_->head().site.kind;
        const auto weights = analysis::softmaxOf(*scores_, temperature_);
        trace::FigureData data;
        data.arrays.push_back(dataArray("weights", trace::view(weights), &scores_->open,
                                        dataAxis("query", tokenLabels(run_->queryTokens(kind))),
                                        dataAxis("key", tokenLabels(run_->keyTokens(kind)))));
        // An outdated curve does not belong to these weights.
        const auto* answer = known();
        data.tables.push_back(entropyRows(*scores_, weights, tokenLabels(run_->queryTokens(kind))));
        const bool isOwn =
            answer && answer->question.run == run_ && answer->question.head == selection_->head();
        if (isOwn && !answer->curve.entropies.empty()) {
            const std::vector<double> even(answer->curve.entropies.size(), answer->curve.even);
            data.tables.push_back(
                {.name = "entropy",
                 .columns = {dataColumn("temperature", answer->curve.temperatures),
                             dataColumn("bits", answer->curve.entropies), dataColumn("even_bits", even)}});
        }
        return data;
    }
    return page() == Page::Scores ? scoresData(known()->scores) : varianceData(*known(), twin_, temperature_);
}

std::optional<PictureOptions> ScaleView::picture(PictureOptions options) const {
    return ofView(std::move(options), "scale", pageName("scale", page()));
}

QStringList ScaleView::nameParts(const trace::HeadAddress& head, int) const {
    // The heads in scope; the variance page always covers all heads.
    if (page() == Page::Variance || scope() == ScoreScope::Model)
        return {};
    return {QString::fromStdString(scope() == ScoreScope::Head ? trace::toString(head)
                                                               : trace::toString(head.site))};
}

void ScaleView::addChoices(ViewChoices& choices) {
    choices.addPage("scale", this);
    choices.addWord(
        "scale", "scores-of", [this] { return static_cast<int>(scope()); },
        [this](int scope) { setScope(static_cast<ScoreScope>(scope)); });
    choices.add(
        "scale", "temperature", [this] { return ChoiceValue(temperature()); },
        [this](const ChoiceValue& value) { setTemperature(std::get<double>(value)); });
}

View* views::makers::scale(Selection* selection, QWidget* parent) {
    return new ScaleView(selection, parent);
}

TemperatureSlider::TemperatureSlider(QWidget* parent) : MarkedSlider(parent) {
    setRange(0, temperatureSliderSteps);
    setSingleStep(4);
    setPageStep(40);
    setAccessibleName(tr("Temperature of the softmax"));
    connect(this, &QSlider::valueChanged, this, [this] { Q_EMIT temperatureChanged(temperature()); });
}

double TemperatureSlider::temperature() const {
    const double exact =
        analysis::lowestTemperature * std::pow(analysis::highestTemperature / analysis::lowestTemperature,
                                               static_cast<double>(value()) / temperatureSliderSteps);
    return std::round(exact * 1e4) / 1e4;
}

void TemperatureSlider::setTemperature(double temperature) {
    const QSignalBlocker quiet(this);
    setValue(std::lround(share(temperature) * temperatureSliderSteps));
}

void TemperatureSlider::setMarks(const std::vector<double>& temperatures) {
    std::vector<double> shares;
    std::ranges::transform(temperatures, std::back_inserter(shares), share);
    setMarkedShares(std::move(shares));
}

} // namespace headscope::widgets

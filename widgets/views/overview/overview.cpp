#include "widgets/views/overview/overview.h"

#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/overview/overview_view.h"
#include "widgets/views/places.h"
#include "widgets/words/statistic_words.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headscope::widgets {

namespace {

// Data of the combo box entries that are not statistics; those use their enum value (0 or more).
constexpr int nothing = -1;
constexpr int byImportance = -2;
constexpr int bySimilarity = -3;

/// The entry's text with its tooltip.
QString chosenInWords(const QComboBox& box) {
    const QString tip = box.currentData(Qt::ToolTipRole).toString();
    return tip.isEmpty() ? box.currentText() : QStringLiteral("%1 (%2)").arg(box.currentText(), tip);
}

void add(QComboBox* box, const QString& words, const QString& tip, int meaning) {
    box->addItem(words, meaning);
    box->setItemData(box->count() - 1, tip, Qt::ToolTipRole);
}

} // namespace

Overview::Overview(Selection* selection, QWidget* parent)
    : TileView(selection, parent), tint_(new QComboBox(this)), order_(new QComboBox(this)),
      threshold_(new QDoubleSpinBox(this)), words_(new QLineEdit(this)), count_(new QLabel(this)),
      whyNone_(wrappedLabel(this)), view_(new OverviewView(selection, this)) {
    setAccessibleName(tr("Grid"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildControls());
    column->addWidget(whyNone_);
    column->addWidget(view_, 1);
    whyNone_->setContentsMargins(space::m, space::xs, space::m, 0);
    whyNone_->setAccessibleName(tr("Why no head is found"));
    setFocusProxy(view_);
    connect(view_, &OverviewView::headDescribed, this, &View::cellDescribed);
    setGrid(view_);
    connect(tint_, &QComboBox::currentIndexChanged, this, [this] {
        showTint();
        Q_EMIT questionsChanged();
    });
    connect(order_, &QComboBox::currentIndexChanged, this, [this] {
        showOrder();
        Q_EMIT questionsChanged();
    });
    connect(threshold_, &QDoubleSpinBox::valueChanged, this, &Overview::questionsChanged);
    connect(words_, &QLineEdit::textChanged, this, [this](const QString& words) {
        filter_.setWords(words);
        showMatching();
        Q_EMIT questionsChanged();
    });
    // Only for typed text: a restored session has its own selected head. Queued, so that the filter is up to
    // date.
    connect(
        words_, &QLineEdit::textEdited, this,
        [this, selection] {
            if (matching_.places.size() == 1 && matching_.whyNone.isEmpty())
                selection->setHead(known_.head(matching_.places.front()));
        },
        Qt::QueuedConnection);
    offerImportance();
    showTint();
    showOrder();
    showMatching();
}

QWidget* Overview::buildControls() {
    auto* bar = new QWidget(this);
    fillChoices();
    tint_->setObjectName("tint");
    order_->setObjectName("order");
    threshold_->setObjectName("threshold");
    words_->setObjectName("search");
    tint_->setAccessibleName(tr("Bars under the heads"));
    order_->setAccessibleName(tr("Order of the heads"));
    for (QComboBox* box : {tint_, order_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(13);
        box->setMinimumWidth(7 * box->fontMetrics().averageCharWidth()); // the tooltip has the elided text
    }
    threshold_->setAccessibleName(tr("Mean divergence below which heads are grouped"));
    threshold_->setToolTip(tr("Heads are grouped if their mean divergence is below this value: 0 the same, 1 "
                              "nothing in common (Jensen-Shannon, base 2)"));
    threshold_->setPrefix(tr("below "));
    threshold_->setRange(0.01, 1);
    threshold_->setSingleStep(0.05);
    threshold_->setDecimals(2);
    threshold_->setValue(usualGroupThreshold);
    threshold_->setKeyboardTracking(false);
    words_->setPlaceholderText(tr("Search heads"));
    words_->setAccessibleName(tr("Search heads"));
    words_->setToolTip(tr("%1; other heads fade", "searchable words").arg(searchTip()));
    words_->setClearButtonEnabled(true);
    words_->setMinimumWidth(7 * words_->fontMetrics().averageCharWidth());
    count_->setToolTip(tr("Heads that match the search"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(space::s, space::xs, space::s, 0);
    row->setSpacing(space::s);
    row->addWidget(tint_);
    row->addWidget(order_);
    row->addWidget(threshold_);
    row->addWidget(words_, 1);
    row->addWidget(count_);
    count_->setForegroundRole(QPalette::PlaceholderText);
    return bar;
}

void Overview::fillChoices() {
    add(tint_, tr("Bars: none"), tr("Small maps only"), nothing);
    add(tint_, tr("Bars: importance"), {}, byImportance);
    add(order_, tr("Sort: by layer"), tr("Layers down, heads across"), nothing);
    add(order_, tr("Sort: by similarity"), tr("Groups of heads with similar maps"), bySimilarity);
    add(order_, tr("Sort: by importance"), {}, byImportance);
    for (const auto statistic : analysis::allStatistics()) {
        const QString title = statisticTitle(statistic).toLower();
        add(tint_, tr("Bars: %1").arg(title), statisticTip(statistic), static_cast<int>(statistic));
        add(order_, tr("Sort: by %1").arg(title), statisticTip(statistic), static_cast<int>(statistic));
    }
}

/// Enabled only once importance was measured. The entry says so as well, because a tooltip is easily missed.
void Overview::offerImportance() {
    const bool isThere = !importance_.isEmpty();
    for (const auto& [box, words] :
         {std::pair(tint_, tr("Bars: importance")), std::pair(order_, tr("Sort: by importance"))}) {
        const int index = box->findData(byImportance);
        box->setItemText(index, isThere ? words : tr("%1 (not measured yet)").arg(words));
        auto* items = qobject_cast<QStandardItemModel*>(box->model());
        items->item(index)->setEnabled(isThere);
        box->setItemData(index,
                         isThere ? tr("Head importance for the output")
                                 : tr("Not measured yet: choose Analyse, Measure Head Importance"),
                         Qt::ToolTipRole);
    }
}

Overview::Choice Overview::choiceOf(const QComboBox& box) {
    const int meaning = box.currentData().toInt();
    return {.importance = meaning == byImportance,
            .statistic =
                meaning >= 0 ? std::optional(static_cast<analysis::Statistic>(meaning)) : std::nullopt};
}

HeadTint Overview::tintOf(const Choice& choice) const {
    return choice.importance  ? importance_
           : choice.statistic ? tintByStatistic(*choice.statistic, heads_)
                              : HeadTint();
}

void Overview::showTint() {
    tint_->setToolTip(tr("The statistic shown as a bar below each map. %1").arg(chosenInWords(*tint_)));
    view_->setTint(tintOf(choiceOf(*tint_)));
}

void Overview::showOrder() {
    order_->setToolTip(tr("The order of the heads within their kind. %1").arg(chosenInWords(*order_)));
    threshold_->setVisible(wantsGroups());
    const Choice choice = choiceOf(*order_);
    if (wantsGroups())
        view_->orderByGroups(grouping_);
    else if (choice.importance || choice.statistic)
        view_->orderBy(tintOf(choice));
    else
        view_->orderAsInTheModel();
}

void Overview::forgetTyped() {
    words_->clear();
}

bool Overview::findHeads(const QString& words) {
    words_->setText(words);
    return true;
}

/// Without heads, nothing is searched.
void Overview::showMatching() {
    matching_ = filter_.listed(known_);
    if (words_->text().simplified().isEmpty() || known_.count() == 0) {
        count_->clear();
        count_->hide();
        whyNone_->hide();
        return view_->setMatching(std::nullopt);
    }
    std::set<trace::HeadAddress> heads;
    for (const int place : matching_.places)
        heads.insert(known_.head(place));
    count_->setText(tr("%1 of %2 heads").arg(heads.size()).arg(known_.count()));
    count_->show();
    whyNone_->setText(matching_.whyNone); // also above the heads that come nearest to a role
    whyNone_->setVisible(!whyNone_->text().isEmpty());
    view_->setMatching(std::move(heads));
}

void Overview::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    known_.setRun(run_);
    if (!run_) {
        grouped_.reset();
        setGrouping(std::nullopt);
        setComparing(std::nullopt);
    }
    TileView::setRun(run_);
}

void Overview::setStatistics(Heads heads) {
    heads_ = std::move(heads);
    known_.setStatistics(heads_);
    std::map<trace::HeadAddress, QString> roles;
    for (int place = 0; place < known_.count(); ++place)
        roles[known_.head(place)] = known_.roles(place);
    view_->setRoles(std::move(roles));
    if (choiceOf(*tint_).statistic)
        showTint();
    if (choiceOf(*order_).statistic)
        showOrder();
    showMatching();
}

void Overview::setImportance(const std::vector<analysis::HeadScore>& ranked, const QString& caption,
                             bool areNumbers) {
    importance_ = tintByImportance(ranked, caption, areNumbers);
    known_.setImportance(ranked);
    offerImportance();
    if (choiceOf(*tint_).importance)
        showTint();
    if (choiceOf(*order_).importance)
        showOrder();
    showMatching();
}

void Overview::setGrouping(std::optional<HeadGrouping> grouping) {
    grouping_ = std::move(grouping);
    if (wantsGroups())
        showOrder();
}

void Overview::setComparing(std::optional<double> progress) {
    if (std::exchange(compared_, progress) != progress)
        view_->setComparing(progress);
}

std::optional<Overview::AllHeads> Overview::comparing() const {
    return wantsGroups() && run_ && run_->complete ? std::optional(AllHeads{run_}) : std::nullopt;
}

std::vector<trace::Wanted> Overview::questions() const {
    auto questions = TileView::questions();
    const auto all = comparing();
    if (!all)
        return questions;
    questions.emplace_back(trace::Counted(*all));
    if (const auto divergences = context().known->of(*all))
        questions.emplace_back(trace::Counted(AlikeHeads{divergences, threshold()}));
    return questions;
}

void Overview::showScores(const ShownScores& scores) {
    setImportance(scores.ranked(), scores.caption(), scores.areNumbers());
}

std::optional<View::Lacking> Overview::lacks() const {
    const bool isTinted = choiceOf(*tint_).importance;
    return isTinted || choiceOf(*order_).importance
               ? lackingImportance(context(), isTinted ? "tint" : "order")
               : std::nullopt;
}

void Overview::refresh() {
    TileView::refresh();
    const auto all = comparing();
    if (!all)
        return;
    const auto divergences = context().known->of(*all);
    const auto groups = divergences ? context().known->of(AlikeHeads{divergences, threshold()}) : nullptr;
    const double share = context().known->shareOf(trace::Counted(*all));
    if (!divergences || groups) // no message for a short comparison
        setComparing(!divergences && share > 0 ? std::optional(share) : std::nullopt);
    if (!groups || groups == grouped_)
        return;
    grouped_ = groups;
    setGrouping(*groups);
}

Overview::AllHeads::Value Overview::AllHeads::count(const trace::Task& work) const {
    constexpr std::chrono::milliseconds slice(100);
    std::vector<analysis::DivergenceSteps> steps;
    std::size_t pairs = 0;
    for (const auto kind : trace::attentionKinds)
        pairs += steps.emplace_back(run, kind, work.stop()).pairs();
    Value all;
    std::size_t done = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        while (!steps[i].goOn(slice))
            work.report(done + steps[i].donePairs(), pairs);
        done += steps[i].pairs();
        all.emplace(trace::attentionKinds[i], steps[i].divergences());
    }
    return all;
}

HeadGrouping Overview::AlikeHeads::count(const trace::Task& /*work*/) const {
    HeadGrouping groups{.threshold = threshold};
    for (const auto& [kind, values] : *divergences)
        if (!values.heads.empty()) {
            groups.kinds.emplace(kind, analysis::groupedHeads(values, threshold));
            groups.everyRow = std::max(groups.everyRow, values.everyRow);
        }
    return groups;
}

bool Overview::wantsGroups() const {
    return order_->currentData().toInt() == bySimilarity;
}

double Overview::threshold() const {
    return threshold_->value();
}

bool Overview::exportChoices(PictureOptions& picture, const Choices& chosen) const {
    // Without measured importance, the command would show more than the view does.
    const ChoiceValue importance = std::string("importance");
    const bool wanted =
        isChosen(chosen, "overview", "tint", importance) || isChosen(chosen, "overview", "order", importance);
    return TileView::exportChoices(picture, chosen) && (!wanted || hasImportance());
}

void Overview::addChoices(ViewChoices& choices) {
    choices.add("overview", "tint", control<QComboBox>(this, "tint"));
    choices.add("overview", "order", control<QComboBox>(this, "order"));
    choices.add("overview", "threshold", control<QDoubleSpinBox>(this, "threshold"));
    choices.add("overview", "search", control<QLineEdit>(this, "search"));
}

QWidget* Overview::takesKeys() const {
    return view_;
}

View* views::makers::overview(Selection* selection, QWidget* parent) {
    return new Overview(selection, parent);
}

} // namespace headscope::widgets

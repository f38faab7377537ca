#include "widgets/views/hesitation/hesitation_view.h"

#include "model/analysis/output/hesitation.h"
#include "model/analysis/runs_beside.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/token_label.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/plots/plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/tables/table_column.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hesitation_words.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::widgets {

namespace {

using analysis::Hesitation;

struct HesitationPlotWords {
    Q_DECLARE_TR_FUNCTIONS(HesitationPlot)
};

struct HesitationQuantity {
    QString name;
    std::optional<double> Hesitation::*member;
};

QString barInWords(const Hesitation& step, const QString& name, const HesitationQuantity& shown,
                   bool isEntropy) {
    if (!(step.*shown.member))
        return HesitationPlotWords::tr("Step %1: not known").arg(name);
    if (isEntropy)
        return HesitationPlotWords::tr("Step %1: the next token has an entropy of %2 bits")
            .arg(name, preciseText(*(step.*shown.member)));
    const QString words = hesitationInWords(step);
    return step.isForced ? HesitationPlotWords::tr("Step %1: forced. %2").arg(name, words)
                         : HesitationPlotWords::tr("Step %1: %2").arg(name, words);
}

/// Probability, margin and entropy below each other, with one bar per step. `lit`: the highlighted step.
Plot hesitationPlot(const std::vector<Hesitation>& steps, std::optional<int> lit) {
    const std::vector<HesitationQuantity> quantities{
        {HesitationPlotWords::tr("probability"), &Hesitation::probability},
        {HesitationPlotWords::tr("margin"), &Hesitation::margin},
        {HesitationPlotWords::tr("entropy"), &Hesitation::entropy}};
    Plot plot;
    plot.across = {.least = 0.5,
                   .most = static_cast<double>(steps.size()) + 0.5,
                   .title = HesitationPlotWords::tr("step"),
                   .whole = true};
    for (int row = 0; row < 3; ++row) {
        const auto& [name, member] = quantities[row];
        PlotAxis up{.title = name};
        PlotSeries bars{.ink = row, .bars = 0.8, .panel = row};
        for (std::size_t step = 0; step < steps.size(); ++step) {
            const auto value = steps[step].*member;
            up.least = std::min(up.least, std::floor(value.value_or(0)));
            up.most = std::max(up.most, std::ceil(value.value_or(0)));
            bars.points.emplace_back(static_cast<double>(step + 1),
                                     value.value_or(std::numeric_limits<double>::quiet_NaN()));
        }
        plot.up.push_back(up);
        plot.add(bars, name);
    }
    for (std::size_t step = 0; step < steps.size(); ++step)
        plot.columns += QStringLiteral("%1 %2").arg(step + 1).arg(quoted(tokenLabel(steps[step].chosen)));
    if (lit)
        plot.bands.push_back({.from = *lit + 0.5, .to = *lit + 1.5});
    plot.words = [steps, quantities, names = plot.columns](MapCell mark) {
        return barInWords(steps[mark.column], names[mark.column], quantities[mark.row], mark.row == 2);
    };
    return plot;
}

bool hasEntropies(const std::vector<analysis::Hesitation>& steps) {
    return std::ranges::all_of(steps, [](const auto& step) { return step.entropy.has_value(); });
}

TableColumn columnOf(const QString& title, const QString& tip) {
    return {.title = title, .toolTip = tip, .bars = TableColumn::Bars::Under};
}

std::optional<double> probabilityOfSecond(const Hesitation& step) {
    return step.second ? std::optional(std::exp(step.second->logProbability)) : std::nullopt;
}

TokenLabel withSecond(const Hesitation& step) {
    auto name = tokenLabel(step.chosen);
    if (step.second)
        name.text = HesitationView::tr("%1 / %2", "a token and the second choice")
                        .arg(name.text, tokenLabel(step.second->token).text);
    return name;
}

QString whatTheTraceLacks() {
    return HesitationView::tr("This trace does not contain whole distributions, so there is no entropy: "
                              "record it with headscope-cli trace --log-probabilities.");
}

} // namespace

View* views::makers::hesitation(Selection* selection, QWidget* parent) {
    return new HesitationView(selection, parent);
}

HesitationView::HesitationView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), order_(new QComboBox(this)),
      plot_(new ReadablePlot(tr("Hesitation over the steps"), this)), table_(new ColumnTable(this)),
      caption_(wrappedLabel(this)) {
    setAccessibleName(tr("Where the model hesitated"));
    order_->addItems({tr("By step"), tr("Least probable first"), tr("Smallest margin first"),
                      tr("Highest entropy first")});
    order_->setAccessibleName(tr("Order of the table"));
    table_->setAccessibleName(tr("Hesitation at each step"));
    auto* right = new QWidget(this);
    auto* list = new QVBoxLayout(right);
    list->setContentsMargins(0, 0, 0, 0);
    list->addWidget(order_);
    list->addWidget(table_, 1);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->addWidget(plot_);
    parts->addWidget(right);
    parts->setChildrenCollapsible(false);
    parts->setSizes({600, 400});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->addWidget(parts, 1);
    column->addWidget(caption_);
    connect(order_, &QComboBox::currentIndexChanged, this, &HesitationView::showTable);
    connect(plot_, &ReadablePlot::markDescribed, this, &View::cellDescribed);
    connect(plot_, &ReadablePlot::markChosen, selection,
            [selection](MapCell mark) { selection->setStep(mark.column); });
    connect(selection, &Selection::stepChanged, this, &HesitationView::showSteps);
    showSteps();
}

void HesitationView::setRun(std::shared_ptr<const trace::Run> run) {
    run_ = std::move(run);
    steps_.clear();
    reading_.reset();
    whyNoEntropy_.clear();
    if (isVisible())
        readSteps();
    showSteps();
    Q_EMIT questionsChanged();
}

/// Steps are not updated while hidden.
void HesitationView::showEvent(QShowEvent* event) {
    if (steps_.empty())
        readSteps();
    showSteps();
    View::showEvent(event);
}

void HesitationView::readSteps() {
    steps_ = run_ ? analysis::hesitations(*run_) : std::vector<analysis::Hesitation>();
    reading_.reset();
    if (!run_ || !run_->complete || steps_.empty() || hasEntropies(steps_))
        return;
    reading_ = trace::Question{.request = analysis::readingRequest(analysis::shownRequest(*run_), *run_),
                               .what = trace::RunWhat()};
    reading_->request.recording.logProbabilities = true;
}

std::vector<trace::Wanted> HesitationView::questions() const {
    return reading_ ? std::vector<trace::Wanted>{*reading_} : std::vector<trace::Wanted>();
}

void HesitationView::refresh() {
    if (!reading_ || hasEntropies(steps_))
        return;
    const auto read = context().known->of(reading_->request, trace::RunWhat());
    const auto refusal = context().known->refusalOf(*reading_);
    if ((!read && !refusal) || (read && read == read_.lock()))
        return;
    if (read)
        takeEntropies(*read);
    read_ = read;
    const QString why = hasEntropies(steps_)    ? QString()
                        : run_->model->recorded ? whatTheTraceLacks()
                        : refusal               ? inWords(refusal)
                                                : tr("The distributions of some steps are not stored.");
    if (std::exchange(whyNoEntropy_, why) != why || read)
        showSteps();
}

void HesitationView::takeEntropies(const trace::Run& read) {
    const auto known = analysis::hesitations(read);
    for (std::size_t t = 0; t < std::min(known.size(), steps_.size()); ++t)
        steps_[t].entropy = known[t].entropy;
}

HesitationView::Order HesitationView::order() const {
    return static_cast<Order>(order_->currentIndex());
}

void HesitationView::setOrder(Order order) {
    order_->setCurrentIndex(order);
}

void HesitationView::setSpaceMarksShown(bool shown) {
    table_->setSpaceMarksShown(shown);
}

std::vector<int> HesitationView::ordered() const {
    std::vector<int> rows(steps_.size());
    std::iota(rows.begin(), rows.end(), 0);
    const auto key = [this](int row) {
        const auto& step = steps_[row];
        switch (order()) {
        case Order::Step:
            break;
        case Order::Probability:
            return step.probability.value_or(2);
        case Order::Margin:
            return step.margin.value_or(2);
        case Order::Entropy:
            return -step.entropy.value_or(-1);
        }
        return static_cast<double>(row);
    };
    std::ranges::stable_sort(rows, {}, key);
    return rows;
}

std::optional<int> HesitationView::stepInSight() const {
    return selection_->step() < steps_.size() ? std::optional<int>(selection_->step()) : std::nullopt;
}

void HesitationView::showSteps() {
    plot_->setPicture(hasFigure() ? std::make_shared<DrawnPlot>(hesitationPlot(steps_, stepInSight()))
                                  : nullptr);
    caption_->setText(hasFigure() ? caption() : QString());
    for (auto* part : findChildren<QSplitter*>(Qt::FindDirectChildrenOnly))
        part->setVisible(hasFigure());
    showTable();
    update();
}

void HesitationView::showTable() {
    const auto rows = ordered();
    const auto filledBy = [&](const TableColumn& column, const auto& of) {
        return filled(column, rows, [&](int row) { return std::invoke(of, steps_[row]); });
    };
    const auto marked = std::ranges::find(rows, stepInSight().value_or(-1));
    table_->setColumns(
        {filledBy({.title = tr("Token / second")}, withSecond),
         filledBy(columnOf(tr("Probability"), tr("Of the chosen or forced token")), &Hesitation::probability),
         filledBy(columnOf(tr("Second"), tr("Probability of the most probable of the other tokens")),
                  probabilityOfSecond),
         filledBy(columnOf(tr("Margin"), tr("Difference in probability between the token and the second; "
                                            "negative if the second was more probable")),
                  &Hesitation::margin),
         filledBy(columnOf(tr("Entropy"), tr("Of the next-token distribution, in bits")),
                  &Hesitation::entropy)},
        marked == rows.end() ? std::nullopt : std::optional<int>(marked - rows.begin()));
}

QString HesitationView::caption() const {
    QString words =
        tr("Probability of the chosen token, its margin to the second, and the entropy of the next-token "
           "distribution at each step.");
    const auto least =
        std::ranges::min_element(steps_, {}, [](const auto& step) { return step.probability.value_or(2); });
    if (least != steps_.end() && least->probability)
        words +=
            ' ' + tr("Least probable: %1 at step %2, %3.")
                      .arg(quoted(tokenLabel(least->chosen)), QString::number(least - steps_.begin() + 1),
                           preciseText(*least->probability));
    if (std::ranges::any_of(steps_, &analysis::Hesitation::isForced))
        words += ' ' + tr("Some tokens were forced: the model did not choose them.");
    if (!whyNoEntropy_.isEmpty())
        words += ' ' + whyNoEntropy_;
    return words;
}

void HesitationView::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    if (!hasFigure())
        drawEmptyState(painter, rect(), tr("Shows how sure the model was of each token."),
                       run_ && run_->model->decoderLayers == 0 ? tr("Encoder-only model: no output tokens.")
                                                               : hintForNoRun(*this),
                       theme);
}

std::optional<FigureBlocks> HesitationView::figureBlocks() const {
    if (!hasFigure())
        return std::nullopt;
    const QSizeF size(std::clamp(56 + 24 * static_cast<int>(steps_.size()), 456, 2376),
                      22 * fontMetrics().height());
    const auto lit = figureParts().marks ? stepInSight() : std::nullopt;
    return FigureBlocks{.picture = plotBlock(std::make_shared<DrawnPlot>(hesitationPlot(steps_, lit)), font(),
                                             [=](double) { return size; }),
                        .caption = caption(),
                        .font = font()};
}

FigureText HesitationView::figureText() const {
    if (!hasFigure())
        return {};
    return {.title = tr("Hesitation"),
            .caption = caption(),
            .provenance = provenance(*run_),
            .head = {},
            .quantity = tr("probability, margin and entropy")};
}

trace::FigureData HesitationView::figureData() const {
    if (!hasFigure())
        return {};
    std::vector<double> numbers(steps_.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    const auto second = [](const Hesitation& step) {
        return step.second ? tokenLabel(step.second->token).full() : QString();
    };
    return {
        .tables = {{.name = "hesitation",
                    .columns = {dataColumn("step", numbers),
                                dataColumn("chosen", steps_,
                                           [](const auto& step) { return tokenLabel(step.chosen).full(); }),
                                dataColumn("probability", steps_, &Hesitation::probability),
                                dataColumn("second", steps_, second),
                                dataColumn("second_probability", steps_, probabilityOfSecond),
                                dataColumn("margin", steps_, &Hesitation::margin),
                                dataColumn("entropy_bits", steps_, &Hesitation::entropy)}}}};
}

void HesitationView::addChoices(ViewChoices& choices) {
    choices.addWord(
        "hesitation", "order", [this] { return order(); },
        [this](int order) { setOrder(static_cast<Order>(order)); });
}

std::optional<PictureOptions> HesitationView::picture(PictureOptions options) const {
    return ofView(std::move(options), "hesitation");
}

} // namespace headscope::widgets

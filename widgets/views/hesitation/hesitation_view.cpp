#include "widgets/views/hesitation/hesitation_view.h"

#include "model/analysis/runs_beside.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/empty_state.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/plots/drawn_plot.h"
#include "widgets/tables/column_table.h"
#include "widgets/views/hesitation/hesitation_plot.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/hint_for_no_run.h"
#include "widgets/words/trace_words.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope::widgets {

namespace {

constexpr double notKnown = std::numeric_limits<double>::quiet_NaN();

bool hasEntropies(const std::vector<analysis::Hesitation>& steps) {
    return std::ranges::all_of(steps, [](const auto& step) { return step.entropy.has_value(); });
}

TableColumn columnOf(const QString& title, const QString& tip) {
    return {.title = title, .toolTip = tip, .bars = TableColumn::Bars::Under};
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
    order_->setCurrentIndex(static_cast<int>(order));
}

void HesitationView::setSpaceMarksShown(bool shown) {
    table_->setSpaceMarksShown(shown);
}

std::vector<int> HesitationView::ordered() const {
    std::vector<int> rows(steps_.size());
    std::iota(rows.begin(), rows.end(), 0);
    const auto key = [this](int row) {
        const auto& step = steps_[static_cast<std::size_t>(row)];
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
    TableColumn names{.title = tr("Token / second")};
    auto probability = columnOf(tr("Probability"), tr("Of the chosen or forced token"));
    auto second = columnOf(tr("Second"), tr("Probability of the most probable of the other tokens"));
    auto margin = columnOf(tr("Margin"), tr("Difference in probability between the token and the second; "
                                            "negative if the second was more probable"));
    auto entropy = columnOf(tr("Entropy"), tr("Of the next-token distribution, in bits"));
    for (const int row : rows) {
        const auto& step = steps_[static_cast<std::size_t>(row)];
        auto name = tokenLabel(step.chosen);
        if (step.second)
            name.text = tr("%1 / %2", "a token and the second choice")
                            .arg(name.text, tokenLabel(step.second->token).text);
        names.tokens.push_back(std::move(name));
        probability.numbers.push_back(step.probability);
        second.numbers.push_back(step.second ? std::optional(std::exp(step.second->logProbability))
                                             : std::nullopt);
        margin.numbers.push_back(step.margin);
        entropy.numbers.push_back(step.entropy);
    }
    const auto marked = std::ranges::find(rows, stepInSight().value_or(-1));
    table_->setColumns({names, probability, second, margin, entropy},
                       marked == rows.end() ? std::nullopt
                                            : std::optional(static_cast<int>(marked - rows.begin())));
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
    QStringList chosen, second;
    std::vector<double> step, probability, secondProbability, margin, entropy;
    for (std::size_t t = 0; t < steps_.size(); ++t) {
        const auto& one = steps_[t];
        step.push_back(static_cast<double>(t + 1));
        chosen += tokenLabel(one.chosen).full();
        second += one.second ? tokenLabel(one.second->token).full() : QString();
        probability.push_back(one.probability.value_or(notKnown));
        secondProbability.push_back(one.second ? std::exp(one.second->logProbability) : notKnown);
        margin.push_back(one.margin.value_or(notKnown));
        entropy.push_back(one.entropy.value_or(notKnown));
    }
    return {.tables = {{.name = "hesitation",
                        .columns = {dataColumn("step", step), dataColumn("chosen", chosen),
                                    dataColumn("probability", probability), dataColumn("second", second),
                                    dataColumn("second_probability", secondProbability),
                                    dataColumn("margin", margin), dataColumn("entropy_bits", entropy)}}}};
}

void HesitationView::addChoices(ViewChoices& choices) {
    choices.addWord(
        "hesitation", "order", [this] { return static_cast<int>(order()); },
        [this](int order) { setOrder(static_cast<Order>(order)); });
}

std::optional<PictureOptions> HesitationView::picture(PictureOptions options) const {
    return ofView(std::move(options), "hesitation");
}

} // namespace headscope::widgets

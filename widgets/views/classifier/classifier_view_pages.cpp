// What each page of the classifier shows, and what it has to ask for.
#include "widgets/controls/tall_area.h"
#include "widgets/plots/bars_picture.h"
#include "widgets/tables/numbers_table.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/classifier/given_tokens_picture.h"
#include "widgets/words/captions.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::widgets {

namespace {

constexpr int mostClassRows = 8;
constexpr int plotMargins = 8;

} // namespace

std::shared_ptr<const trace::Run> ClassifierView::wanted() const {
    const bool asks = isVisible() && run_ && run_->complete && !run_->classLogProbabilities.empty() &&
                      !reading_ && whyNot_.isEmpty();
    return asks ? run_ : nullptr;
}

void ClassifierView::showPage() {
    const bool any = hasFigure();
    const bool words = page() == Page::Words;
    measures_->setVisible(words);
    sorted_->setVisible(words);
    for (QWidget* control : std::initializer_list<QWidget*>{classes_, measures_, sorted_, importance_})
        control->setEnabled(any);
    stack_->setCurrentIndex(pages_->currentIndex());
    stack_->setVisible(any);
    if (any && words)
        showWords();
    else if (any)
        showAnswer();
    caption_->setVisible(any);
    caption_->setText(caption());
    update();
    Q_EMIT wantedChanged();
}

void ClassifierView::showAnswer() {
    showClasses();
    showTokens();
}

void ClassifierView::showClasses() {
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < reading_->logits.size(); ++i) {
        const double probability = std::exp(reading_->logProbabilities[i]);
        const QString number =
            tr("%1, logit %2").arg(preciseText(probability), numberText(reading_->logits[i]));
        bars.push_back({.name = {.text = nameOf(i)},
                        .value = probability,
                        .number = number,
                        .words = tr("%1: probability %2").arg(nameOf(i), number)});
    }
    auto picture = std::make_shared<BarsPicture>(std::move(bars), 1, false, tr("probability"));
    picture->setLit(static_cast<int>(chosenClass()));
    classPlot_->setPicture(std::move(picture));
    fitAnswer();
}

/// Few classes take the room they need, many share some of it; tokens and table are as high as all of theirs,
/// and the page scrolls.
void ClassifierView::fitAnswer() {
    if (classPlot_->picture())
        classPlot_->setFixedHeight(static_cast<int>(std::min(classPlot_->picture()->rows(), mostClassRows) *
                                                        BarsPicture::comfortableRow(font()) +
                                                    plotMargins));
    if (const auto* tokens = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get())) {
        // Also where the scroll bar is not needed: that depends on the height.
        const int width = answer_->width() - answer_->verticalScrollBar()->sizeHint().width() - plotMargins;
        tokenPlot_->setFixedHeight(
            static_cast<int>(std::ceil(tokens->heightFor(width, font()) + plotMargins)));
    }
    for (NumbersTable* table : {tokenTable_, featureTable_})
        table->setFixedHeight(table->wholeHeight());
}

std::optional<int> ClassifierView::litToken() const {
    return selection_->focus().key(trace::AttentionKind::EncoderSelf);
}

void ClassifierView::lightToken() {
    const auto* shown = dynamic_cast<const GivenTokensPicture*>(tokenPlot_->picture().get());
    if (page() != Page::Answer || !hasFigure() || !shown)
        return;
    auto picture = std::make_shared<GivenTokensPicture>(*shown);
    picture->setLit(litToken());
    tokenPlot_->setPicture(std::move(picture));
}

void ClassifierView::showTokens() {
    auto labels = tokenLabels(run_->source);
    const auto shares = analysis::tokenShares(*reading_, chosenClass());
    tokenPlot_->setPicture(std::make_shared<GivenTokensPicture>(labels, shares, spaceMarks_));
    lightToken();
    NumberColumn features{
        .title = tr("features"), .toolTip = tr("whose largest value this token gave"), .whole = true};
    NumberColumn contribution{
        .title = tr("adds"), .toolTip = tr("to the logit of %1").arg(nameOf(chosenClass())), .bars = true};
    labels.resize(shares.size());
    for (const auto& share : shares) {
        features.values.push_back(static_cast<double>(share.features));
        contribution.values.push_back(share.contribution);
    }
    tokenTable_->setColumns(tr("token"), NumbersTable::Names::Tokens, std::move(labels),
                            {features, contribution});
    showFeatures();
    fitAnswer();
}

void ClassifierView::showWords() {
    words_ = analysis::wordEffects(*reading_, chosenClass());
    const auto lost = [this](const analysis::WordEffect& word) {
        return showsProbabilities() ? word.probabilityLost : word.logProbabilityLost;
    };
    if (isSorted())
        std::ranges::stable_sort(words_, std::ranges::greater(), lost);
    std::vector<Bar> bars;
    std::vector<TokenLabel> names;
    NumberColumn logarithm{.title = tr("log p lost"),
                           .toolTip =
                               tr("log-probability of the class with all words, less that without this one"),
                           .bars = true};
    NumberColumn probability{
        .title = tr("p lost"), .toolTip = tr("the same of the probability"), .bars = true};
    NumberColumn without{.title = tr("p without"),
                         .toolTip = tr("probability of the class without this word")};
    double largest = 0;
    for (const auto& word : words_) {
        const TokenLabel name = nameOf(word);
        names.push_back(name);
        logarithm.values.push_back(word.logProbabilityLost);
        probability.values.push_back(word.probabilityLost);
        without.values.push_back(word.probabilityWithout);
        largest = std::max(largest, std::abs(lost(word)));
        bars.push_back(
            {.name = name,
             .value = lost(word),
             .number = numberText(lost(word)),
             .words = tr("Without %1: %2 has probability %3; log-probability lost %4")
                          .arg(quoted(name), nameOf(chosenClass()), numberText(word.probabilityWithout),
                               numberText(word.logProbabilityLost))});
    }
    auto picture = std::make_shared<BarsPicture>(std::move(bars), largest, true,
                                                 showsProbabilities() ? tr("probability lost")
                                                                      : tr("log-probability lost"));
    picture->setSpaceMarks(spaceMarks_);
    wordPlot_->setPicture(std::move(picture));
    wordTable_->setColumns(tr("word left out"), NumbersTable::Names::Tokens, std::move(names),
                           {logarithm, probability, without});
}

void ClassifierView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitAnswer();
}

void ClassifierView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitAnswer();
}

void ClassifierView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fitAnswer();
    Q_EMIT wantedChanged();
}

void ClassifierView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    Q_EMIT wantedChanged();
}

} // namespace headscope::widgets

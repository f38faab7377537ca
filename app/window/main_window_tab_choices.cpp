// What can be chosen in the tabs, for sessions and undo.
#include "app/window/choice_controls.h"
#include "app/window/compare_answers.h"
#include "app/window/main_window.h"
#include "widgets/architecture_diagram.h"
#include "widgets/architecture_view.h"
#include "widgets/batch_view.h"
#include "widgets/classifier_view.h"
#include "widgets/compare_view.h"
#include "widgets/lines_view.h"
#include "widgets/mask_view.h"
#include "widgets/overview.h"
#include "widgets/positional_encoding_view.h"
#include "widgets/scale_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>

#include <algorithm>

namespace headscope::app {

namespace {

using widgets::LinesView;

/// In the words of `render --lines-of`: heads, "all", or nothing for the selected one.
std::string headsOf(const LinesView& view) {
    if (view.shown() != LinesView::Shown::Chosen)
        return view.shown() == LinesView::Shown::AllHeads ? "all" : "";
    std::string list;
    for (const int head : view.heads())
        list += (list.empty() ? "" : ",") + std::to_string(head);
    return list;
}

void chooseHeads(LinesView& view, const QString& list) {
    if (list.isEmpty() || list == QLatin1String("all"))
        return view.setShown(list.isEmpty() ? LinesView::Shown::OneHead : LinesView::Shown::AllHeads);
    std::vector<int> heads;
    for (const QString& head : list.split(',', Qt::SkipEmptyParts))
        if (const int number = head.toInt(); number >= 0)
            heads.push_back(number);
    view.chooseHeads(std::move(heads));
}

void unfold(widgets::ArchitectureDiagram& diagram, const std::vector<std::string>& roles) {
    const auto before = diagram.unfolded();
    for (const auto& role : before)
        if (std::ranges::find(roles, role) == roles.end())
            diagram.setUnfolded(role, false);
    for (const auto& role : roles)
        diagram.setUnfolded(role, true);
}

/// Source and target of each sentence in turn.
ChoiceValue sentencesOf(const widgets::BatchView& batch) {
    std::vector<std::string> texts;
    for (const auto& sentence : batch.sentences()) {
        texts.push_back(sentence.source.toStdString());
        texts.push_back(sentence.target.toStdString());
    }
    return texts;
}

void setSentences(widgets::BatchView& batch, const std::vector<std::string>& texts) {
    std::vector<widgets::BatchSentence> sentences;
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
        sentences.push_back(
            {.source = QString::fromStdString(texts[i]), .target = QString::fromStdString(texts[i + 1])});
    batch.setSentences(sentences);
}

std::string otherHeadOf(const widgets::CompareBar& bar) {
    using Choice = widgets::OtherHead::Choice;
    const auto other = bar.otherHead();
    return other.choice == Choice::This      ? trace::toString(other.head)
           : other.choice == Choice::Nearest ? "nearest"
                                             : "same";
}

void setOtherHead(widgets::CompareBar& bar, const QString& head) {
    using Choice = widgets::OtherHead::Choice;
    if (const auto address = trace::parseHeadAddress(head.toStdString()))
        bar.setOtherHead({.choice = Choice::This, .head = *address});
    else
        bar.setOtherHead({.choice = head == QLatin1String("nearest") ? Choice::Nearest : Choice::Usual});
}

} // namespace

void MainWindow::bindTabChoices() {
    auto& choices = *choices_;
    choices.addText(
        "lines", "lines-of", [this] { return QString::fromStdString(headsOf(*lines_)); },
        [this](const QString& heads) { chooseHeads(*lines_, heads); });
    addPage(choices, "masks", masks_);
    auto* batch = masks_->batch();
    choices.add(
        "masks", "batch", [batch] { return sentencesOf(*batch); },
        [batch](const ChoiceValue& value) {
            setSentences(*batch, std::get<std::vector<std::string>>(value));
        });
    choices.addWhole(
        "masks", "sentence", [batch] { return batch->chosen(); },
        [batch](int sentence) { batch->choose(sentence); });
    addPage(choices, "scale", scale_);
    choices.addWord(
        "scale", "scores-of", [this] { return static_cast<int>(scale_->scope()); },
        [this](int scope) { scale_->setScope(static_cast<widgets::ScoreScope>(scope)); });
    choices.add(
        "scale", "temperature", [this] { return ChoiceValue(scale_->temperature()); },
        [this](const ChoiceValue& value) { scale_->setTemperature(std::get<double>(value)); });
    addPage(choices, "classifier", classifier_);
    choices.addWhole(
        "classifier", "class", [this] { return static_cast<int>(classifier_->chosenClass()); },
        [this](int chosen) { classifier_->setChosenClass(static_cast<std::size_t>(chosen)); });
    choices.addFlag(
        "classifier", "sorted", [this] { return classifier_->isSorted(); },
        [this](bool sorted) { classifier_->setSorted(sorted); });
    choices.add("classifier", "loss", control<QComboBox>(classifier_, "loss"));
}

void MainWindow::bindArchitectureChoices() {
    auto& choices = *choices_;
    choices.add("architecture", "page", control<QTabBar>(architecture_, "pages"));
    auto* diagram = architecture_->findChild<widgets::ArchitectureDiagram*>();
    choices.add(
        "architecture", "unfolded",
        [diagram] {
            return ChoiceValue(
                std::vector<std::string>(diagram->unfolded().begin(), diagram->unfolded().end()));
        },
        [diagram](const ChoiceValue& value) { unfold(*diagram, std::get<std::vector<std::string>>(value)); });
    choices.add(
        "architecture", "block",
        [diagram] { return ChoiceValue(diagram->current() ? diagram->current()->role : std::string()); },
        [diagram](const ChoiceValue& value) { diagram->setCurrent(std::get<std::string>(value)); });
    choices.add(
        "architecture", "zoom", [diagram] { return ChoiceValue(diagram->zoom()); },
        [diagram](const ChoiceValue& value) { diagram->setZoom(std::get<std::vector<double>>(value)); });
}

void MainWindow::bindPositionChoices() {
    auto& choices = *choices_;
    addPage(choices, "positions", positions_);
    choices.addWord(
        "positions", "side", [this] { return static_cast<int>(positions_->side()); },
        [this](int side) { positions_->setSide(static_cast<widgets::PositionSide>(side)); });
    choices.add(
        "positions", "dimensions",
        [this] {
            return ChoiceValue(
                std::vector<std::int64_t>(positions_->dimensions().begin(), positions_->dimensions().end()));
        },
        [this](const ChoiceValue& value) {
            const auto& numbers = std::get<std::vector<std::int64_t>>(value);
            positions_->setDimensions({numbers.begin(), numbers.end()});
        });
    choices.addWhole(
        "positions", "count", [this] { return positions_->positionsShown(); },
        [this](int count) { positions_->setPositionsShown(count); });
    choices.addWhole(
        "positions", "offset", [this] { return positions_->offset(); },
        [this](int offset) { positions_->setOffset(offset); });
    choices.add("positions", "centred", control<QCheckBox>(positions_, "centred"));
}

void MainWindow::bindComparisonChoices() {
    auto& choices = *choices_;
    auto* bar = compare_->bar();
    addPage(choices, "compare", compare_);
    choices.addText(
        "compare", "model", [this] { return compareAnswers_->otherPath(); },
        [this](const QString& path) {
            path.isEmpty() ? compareAnswers_->closeOther() : compareAnswers_->openOther(path);
        });
    choices.addWord(
        "compare", "with", [bar] { return static_cast<int>(bar->with()); },
        [bar](int with) { bar->setWith(static_cast<widgets::CompareBar::With>(with)); });
    choices.addText(
        "compare", "sentence", [bar] { return bar->sentence(); },
        [bar](const QString& sentence) {
            bar->setSentence(sentence);
            Q_EMIT bar->chosen();
        });
    choices.addWhole(
        "compare", "branch", [bar] { return bar->branch(); }, [bar](int branch) { bar->setBranch(branch); });
    choices.addWhole(
        "compare", "step", [bar] { return bar->step(); }, [bar](int step) { bar->setStep(step); });
    choices.addText(
        "compare", "head", [bar] { return QString::fromStdString(otherHeadOf(*bar)); },
        [bar](const QString& head) { setOtherHead(*bar, head); });
    choices.addFlag(
        "compare", "aligned-only", [bar] { return bar->alignedOnly(); },
        [bar](bool only) { bar->setAlignedOnly(only); });
    choices.add("overview", "tint", control<QComboBox>(overview_, "tint"));
    choices.add("overview", "order", control<QComboBox>(overview_, "order"));
    choices.add("overview", "threshold", control<QDoubleSpinBox>(overview_, "threshold"));
    choices.add("overview", "search", control<QLineEdit>(overview_, "search"));
}

} // namespace headscope::app

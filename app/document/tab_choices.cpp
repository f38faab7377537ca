#include "app/document/tab_choices.h"

#include "app/document/zoom_choices.h"

#include "app/document/choice_controls.h"
#include "app/document/decode_controller.h"
#include "app/results/compare_answers.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/architecture/architecture_view.h"
#include "widgets/views/arithmetic/arithmetic_view.h"
#include "widgets/views/attribution/attribution_view.h"
#include "widgets/views/batch/batch_view.h"
#include "widgets/views/classifier/classifier_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/head_table/head_table.h"
#include "widgets/views/head_table/head_table_view.h"
#include "widgets/views/importance/importance_view.h"
#include "widgets/views/lens/lens_view.h"
#include "widgets/views/lines/lines_view.h"
#include "widgets/views/masks/mask_view.h"
#include "widgets/views/overview/overview.h"
#include "widgets/views/positions/positional_encoding_view.h"
#include "widgets/views/scale/scale_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>

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
widgets::ChoiceValue sentencesOf(const widgets::BatchView& batch) {
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

/// "cross 3 5": the kind of attention, query and key; empty where all heads are listed.
QString cellOf(const widgets::HeadTableModel& table) {
    const auto& cell = table.cell();
    const auto kind = cell ? QString::fromUtf8(trace::name(cell->kind)) : QString();
    return cell ? QStringLiteral("%1 %2 %3").arg(kind).arg(cell->query).arg(cell->key) : QString();
}

/// Nothing where the run has no such cell.
std::optional<widgets::WatchedCell> cellIn(const QString& text, const trace::Run* run) {
    const auto parts = text.split(' ');
    for (const auto kind : trace::attentionKinds)
        if (run && parts.size() == 3 && parts[0] == QString::fromUtf8(trace::name(kind))) {
            const auto query = parts[1].toUInt(), key = parts[2].toUInt();
            if (query < run->queryTokens(kind).size() && key < run->keyTokens(kind).size())
                return widgets::WatchedCell{
                    .kind = kind, .query = static_cast<int>(query), .key = static_cast<int>(key)};
        }
    return std::nullopt;
}

} // namespace

void bindLines(ViewChoices& choices, widgets::LinesView* lines) {
    choices.addText(
        "lines", "lines-of", [lines] { return QString::fromStdString(headsOf(*lines)); },
        [lines](const QString& heads) { chooseHeads(*lines, heads); });
}

void bindMasks(ViewChoices& choices, widgets::MaskView* masks) {
    addPage(choices, "masks", masks);
    bindBatch(choices, masks->batch());
}

void bindBatch(ViewChoices& choices, widgets::BatchView* batch) {
    choices.add(
        "masks", "batch", [batch] { return sentencesOf(*batch); },
        [batch](const widgets::ChoiceValue& value) {
            setSentences(*batch, std::get<std::vector<std::string>>(value));
        });
    choices.addWhole(
        "masks", "sentence", [batch] { return batch->chosen(); },
        [batch](int sentence) { batch->choose(sentence); });
}

void bindScale(ViewChoices& choices, widgets::ScaleView* scale) {
    addPage(choices, "scale", scale);
    choices.addWord(
        "scale", "scores-of", [scale] { return static_cast<int>(scale->scope()); },
        [scale](int scope) { scale->setScope(static_cast<widgets::ScoreScope>(scope)); });
    choices.add(
        "scale", "temperature", [scale] { return widgets::ChoiceValue(scale->temperature()); },
        [scale](const widgets::ChoiceValue& value) { scale->setTemperature(std::get<double>(value)); });
}

void bindClassifier(ViewChoices& choices, widgets::ClassifierView* classifier) {
    addPage(choices, "classifier", classifier);
    choices.addWhole(
        "classifier", "class", [classifier] { return static_cast<int>(classifier->chosenClass()); },
        [classifier](int chosen) { classifier->setChosenClass(static_cast<std::size_t>(chosen)); });
    choices.addFlag(
        "classifier", "sorted", [classifier] { return classifier->isSorted(); },
        [classifier](bool sorted) { classifier->setSorted(sorted); });
    choices.add("classifier", "loss", control<QComboBox>(classifier, "loss"));
}

void bindArchitecture(ViewChoices& choices, widgets::ArchitectureView* architecture) {
    choices.add("architecture", "page", control<QTabBar>(architecture, "pages"));
    auto* diagram = architecture->findChild<widgets::ArchitectureDiagram*>();
    choices.add(
        "architecture", "unfolded",
        [diagram] {
            return widgets::ChoiceValue(
                std::vector<std::string>(diagram->unfolded().begin(), diagram->unfolded().end()));
        },
        [diagram](const widgets::ChoiceValue& value) {
            unfold(*diagram, std::get<std::vector<std::string>>(value));
        });
    choices.add(
        "architecture", "block",
        [diagram] {
            return widgets::ChoiceValue(diagram->current() ? diagram->current()->role : std::string());
        },
        [diagram](const widgets::ChoiceValue& value) { diagram->setCurrent(std::get<std::string>(value)); });
    choices.add(
        "architecture", "zoom", [diagram] { return widgets::ChoiceValue(diagram->zoom()); },
        [diagram](const widgets::ChoiceValue& value) {
            diagram->setZoom(std::get<std::vector<double>>(value));
        });
}

void bindPositions(ViewChoices& choices, widgets::PositionalEncodingView* positions) {
    addPage(choices, "positions", positions);
    choices.addWord(
        "positions", "side", [positions] { return static_cast<int>(positions->side()); },
        [positions](int side) { positions->setSide(static_cast<widgets::PositionSide>(side)); });
    choices.add(
        "positions", "dimensions",
        [positions] {
            return widgets::ChoiceValue(
                std::vector<std::int64_t>(positions->dimensions().begin(), positions->dimensions().end()));
        },
        [positions](const widgets::ChoiceValue& value) {
            const auto& numbers = std::get<std::vector<std::int64_t>>(value);
            positions->setDimensions({numbers.begin(), numbers.end()});
        });
    choices.addWhole(
        "positions", "count", [positions] { return positions->positionsShown(); },
        [positions](int count) { positions->setPositionsShown(count); });
    choices.addWhole(
        "positions", "offset", [positions] { return positions->offset(); },
        [positions](int offset) { positions->setOffset(offset); });
    choices.add("positions", "centred", control<QCheckBox>(positions, "centred"));
    bindZooms(choices, positions);
}

void bindCompare(ViewChoices& choices, widgets::CompareView* compare, CompareAnswers* answers) {
    auto* bar = compare->bar();
    addPage(choices, "compare", compare);
    choices.addText(
        "compare", "model", [answers] { return answers->otherName(); },
        [answers](const QString& path) {
            if (path.isEmpty())
                answers->closeOther();
            else if (CompareAnswers::nameOf(CompareAnswers::pathOf(path)) != answers->otherName())
                answers->openOther(path);
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
}

void bindOverview(ViewChoices& choices, widgets::Overview* overview) {
    choices.add("overview", "tint", control<QComboBox>(overview, "tint"));
    choices.add("overview", "order", control<QComboBox>(overview, "order"));
    choices.add("overview", "threshold", control<QDoubleSpinBox>(overview, "threshold"));
    choices.add("overview", "search", control<QLineEdit>(overview, "search"));
}

void bindArithmetic(ViewChoices& choices, widgets::ArithmeticView* arithmetic) {
    choices.add("arithmetic", "page", control<QTabWidget>(arithmetic, "vectors")->tabBar());
}

void bindAttribution(ViewChoices& choices, widgets::AttributionView* attribution) {
    choices.add("logit-lens", "parts", control<QComboBox>(attribution, "parts"));
}

void bindImportance(ViewChoices& choices, widgets::ImportanceView* importance) {
    choices.add("importance", "of", control<QComboBox>(importance, "of"));
    choices.add("importance", "kind", control<QComboBox>(importance, "kind"));
}

void bindHeadTable(ViewChoices& choices, widgets::HeadTable* table, DecodeController* controller) {
    auto* rows = table->findChild<widgets::HeadTableView*>();
    const auto* header = rows->horizontalHeader();
    choices.add("head-table", "search", control<QLineEdit>(table, "search"));
    choices.add("head-table", "kind", control<QComboBox>(table, "kind"));
    choices.addText(
        "head-table", "cell", [table] { return cellOf(table->model()); },
        [controller, table](const QString& text) { table->setCell(cellIn(text, controller->run().get())); });
    choices.addWord(
        "head-table", "sorted-by", [header] { return header->sortIndicatorSection(); },
        [rows, header](int column) { rows->sortByColumn(column, header->sortIndicatorOrder()); });
    choices.addFlag(
        "head-table", "descending", [header] { return header->sortIndicatorOrder() == Qt::DescendingOrder; },
        [rows, header](bool descending) {
            rows->sortByColumn(header->sortIndicatorSection(),
                               descending ? Qt::DescendingOrder : Qt::AscendingOrder);
        });
    choices.add("head-table", "least-weight", control<QDoubleSpinBox>(table, "least-weight"));
}

void bindLens(ViewChoices& choices, widgets::LensView* lens) {
    choices.add("logit-lens", "tint", control<QComboBox>(lens, "tint"));
}

} // namespace headscope::app

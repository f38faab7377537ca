#include "widgets/views/architecture/architecture_view.h"

#include "model/analysis/architecture/architecture_memory.h"
#include "model/analysis/runs_beside.h"
#include "model/trace/figure_data.h"
#include "widgets/controls/card_columns.h"
#include "widgets/controls/card_head.h"
#include "widgets/controls/segments.h"
#include "widgets/controls/view_choices.h"
#include "widgets/controls/wrapped_label.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/architecture/architecture_diagram.h"
#include "widgets/views/places.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPoint>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace headscope::widgets {

namespace {

/// The state of a tree view, stored by roles of blocks so that it survives refilling the table.
struct TreePlace {
    std::string current;
    std::set<std::string> known;
    std::set<std::string> expanded;
    QPoint scrolled;
};

using analysis::ArchitectureBlock;

struct ArchitectureTableWords {
    Q_DECLARE_TR_FUNCTIONS(Architecture)
};

QStandardItem* cell(const QString& words, bool number = true) {
    auto* item = new QStandardItem(words);
    item->setEditable(false);
    if (number)
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

QList<QStandardItem*> flowCells(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
    const auto* flow = facts.measuredAt(block);
    if (!flow)
        return {cell({}), cell({}), cell({}), cell({}), cell({})};
    const auto length = [&](const std::vector<double>& values) {
        return cell(QString::number(meanOf(facts, block.side, values), 'f', 2));
    };
    return {length(flow->before), length(flow->added), length(flow->after),
            cell(numberText(meanOf(facts, block.side, flow->cosine))),
            cell(flow->units > 0 ? ArchitectureTableWords::tr("%1 of %2")
                                       .arg(QLocale().toString(qint64(flow->deadUnits)),
                                            QLocale().toString(qint64(flow->units)))
                                 : QString())};
}

/// What it computes for sentences so many times as long; NaN without a run.
double bytesAt(const ArchitectureFacts& facts, const ArchitectureBlock& block, int times) {
    auto lengths = facts.lengths();
    if (!lengths)
        return noNumber;
    lengths->source *= times;
    lengths->target *= times;
    return analysis::activationBytes(block, *lengths);
}

void addRows(QStandardItem* parent, const ArchitectureFacts& facts,
             const std::vector<ArchitectureBlock>& blocks) {
    const auto parameters = [&](const ArchitectureBlock& block) {
        return analysis::parametersAreKnown(*facts.model) ? QLocale().toString(qint64(block.parameters))
                                                          : QString();
    };
    for (const auto& block : blocks) {
        auto* name = cell(blockName(facts, block), false);
        name->setData(QString::fromStdString(block.role), Qt::UserRole);
        const auto bytes = [&](int times) {
            const double bytes = bytesAt(facts, block, times);
            return cell(std::isnan(bytes) ? QString() : bytesInWords(bytes));
        };
        parent->appendRow(QList<QStandardItem*>{name, cell(outInWords(facts, block, ", "), false),
                                                cell(parameters(block)), bytes(1), bytes(2), bytes(10)} +
                          flowCells(facts, block));
        addRows(name, facts, block.children);
    }
}

template <class Visit>
void forAllBlocks(const QAbstractItemModel& table, const QModelIndex& parent, Visit&& visit) {
    for (int row = 0; row < table.rowCount(parent); ++row) {
        const QModelIndex block = table.index(row, 0, parent);
        visit(block);
        forAllBlocks(table, block, visit);
    }
}

/// Fills a tree of all blocks of a model and their numbers, whatever is folded in the diagram.
void fillArchitectureTable(QStandardItemModel& table, const ArchitectureFacts& facts) {
    table.clear();
    table.setHorizontalHeaderLabels(
        {ArchitectureTableWords::tr("Block"), ArchitectureTableWords::tr("Out"),
         ArchitectureTableWords::tr("Parameters"), ArchitectureTableWords::tr("Activations"),
         ArchitectureTableWords::tr("At twice the length"), ArchitectureTableWords::tr("At ten times"),
         ArchitectureTableWords::tr("Stream before"), ArchitectureTableWords::tr("Added"),
         ArchitectureTableWords::tr("After"), ArchitectureTableWords::tr("Cosine"),
         ArchitectureTableWords::tr("Dead units")});
    if (!facts.model)
        return;
    addRows(table.invisibleRootItem(), facts, facts.architecture.source);
    addRows(table.invisibleRootItem(), facts, facts.architecture.target);
}

/// The role of the block in the row of `index`.
std::string roleAt(const QModelIndex& index) {
    return index.siblingAtColumn(0).data(Qt::UserRole).toString().toStdString();
}

TreePlace placeIn(const QTreeView& tree) {
    TreePlace place{.current = tree.currentIndex().isValid() ? roleAt(tree.currentIndex()) : std::string(),
                    .scrolled = {tree.horizontalScrollBar()->value(), tree.verticalScrollBar()->value()}};
    forAllBlocks(*tree.model(), {}, [&](const QModelIndex& block) {
        place.known.insert(roleAt(block));
        if (tree.isExpanded(block))
            place.expanded.insert(roleAt(block));
    });
    return place;
}

void goBack(QTreeView& tree, const TreePlace& place) {
    forAllBlocks(*tree.model(), {}, [&](const QModelIndex& block) {
        if (place.known.contains(roleAt(block)))
            tree.setExpanded(block, place.expanded.contains(roleAt(block)));
        if (!place.current.empty() && roleAt(block) == place.current)
            tree.selectionModel()->setCurrentIndex(block, QItemSelectionModel::ClearAndSelect |
                                                              QItemSelectionModel::Rows);
    });
    tree.horizontalScrollBar()->setValue(place.scrolled.x());
    tree.verticalScrollBar()->setValue(place.scrolled.y());
}

constexpr int deepest = 2; ///< stack, layer, sublayer

void addRows(TableFigure& table, const QTreeView& tree, const QModelIndex& parent, int depth) {
    const auto& model = *tree.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex block = model.index(row, 0, parent);
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString indent = column == 0 ? QString(3 * depth, QChar(0x2007)) : QString();
            table.columns[column].texts += indent + block.siblingAtColumn(column).data().toString();
        }
        if (depth < deepest)
            addRows(table, tree, block, depth + 1);
    }
}

/// Stacks, layers and sublayers as a picture, whatever is unfolded.
TableFigure tableFigure(const QTreeView& tree, const QFont& font) {
    TableFigure table{.font = font};
    for (int column = 0; column < tree.model()->columnCount(); ++column)
        table.columns.push_back({.title = tree.model()->headerData(column, Qt::Horizontal).toString(),
                                 .atRight = column >= 2}); // after the block and its shapes
    addRows(table, tree, {}, 0);
    return table;
}

/// In forward order, each before its children.
void addBlocks(std::vector<const ArchitectureBlock*>& all, const std::vector<ArchitectureBlock>& blocks) {
    for (const auto& block : blocks) {
        all.push_back(&block);
        addBlocks(all, block.children);
    }
}

/// Numbers of all blocks.
trace::DataTable blockNumbers(const ArchitectureFacts& facts) {
    using Block = const ArchitectureBlock*;
    using Flow = trace::SublayerFlow;
    std::vector<Block> all;
    addBlocks(all, facts.architecture.source);
    addBlocks(all, facts.architecture.target);
    const bool isKnown = analysis::parametersAreKnown(*facts.model);
    const auto bytes = [&](int times) {
        return [&facts, times](Block block) { return bytesAt(facts, *block, times); };
    };
    const auto mean = [&](const std::vector<double> Flow::*part) {
        return [&facts, part](Block block) {
            const auto* flow = facts.measuredAt(*block);
            return flow ? meanOf(facts, block->side, flow->*part) : noNumber;
        };
    };
    const auto units = [&](auto Flow::*part) {
        return [&facts, part](Block block) {
            const auto* flow = facts.measuredAt(*block);
            return flow && flow->units > 0 ? static_cast<double>(flow->*part) : noNumber;
        };
    };
    const auto parameters = [=](Block block) {
        return isKnown ? static_cast<double>(block->parameters) : noNumber;
    };
    return {.name = "blocks",
            .columns = {
                dataColumn("block", all, [](Block block) { return QString::fromStdString(block->role); }),
                dataColumn("out", all, [&](Block block) { return outInWords(facts, *block, "; "); }),
                dataColumn("parameters", all, parameters), dataColumn("activation_bytes", all, bytes(1)),
                dataColumn("activation_bytes_at_twice", all, bytes(2)),
                dataColumn("activation_bytes_at_ten_times", all, bytes(10)),
                dataColumn("stream_before", all, mean(&Flow::before)),
                dataColumn("added", all, mean(&Flow::added)),
                dataColumn("stream_after", all, mean(&Flow::after)),
                dataColumn("cosine", all, mean(&Flow::cosine)), dataColumn("units", all, units(&Flow::units)),
                dataColumn("dead_units", all, units(&Flow::deadUnits))}};
}

void unfold(ArchitectureDiagram& diagram, const std::vector<std::string>& roles) {
    const auto before = diagram.unfolded();
    for (const auto& role : before)
        if (std::ranges::find(roles, role) == roles.end())
            diagram.setUnfolded(role, false);
    for (const auto& role : roles)
        diagram.setUnfolded(role, true);
}

} // namespace

ArchitectureView::ArchitectureView(Selection* selection, QWidget* parent)
    : View(parent), selection_(selection), bar_(new QWidget(this)), line_(wrappedLabel(bar_)),
      pages_(new Segments(tr("Page of the architecture"), {tr("Diagram"), tr("Table")}, bar_)),
      row_(new QBoxLayout(QBoxLayout::LeftToRight)), stack_(new QStackedWidget(this)),
      diagram_(new ArchitectureDiagram(facts_, this)), tree_(new QTreeView(this)),
      table_(new QStandardItemModel(this)), inspector_(new CardFrame(this)),
      title_(new CardHead(QString(), QString(), inspector_)), area_(new QScrollArea(inspector_)),
      numbers_(new QLabel) {
    setAccessibleName(tr("Structure"));
    build();
    connect(pages_, &Segments::currentChanged, this, [this](int page) {
        stack_->setCurrentIndex(page);
        showTable();
        showWords();
    });
    connect(diagram_, &ArchitectureDiagram::currentChanged, this, &ArchitectureView::showWords);
    connect(diagram_, &ArchitectureDiagram::chosen, this, &ArchitectureView::select);
    connect(diagram_, &ArchitectureDiagram::blockDescribed, this, &ArchitectureView::cellDescribed);
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& at) {
                if (!at.isValid())
                    return;
                diagram_->setCurrent(roleAt(at));
                select(roleAt(at));
            });
    connect(selection, &Selection::headChanged, this, &ArchitectureView::follow);
    connect(selection, &Selection::stepChanged, this, [this](int step) {
        facts_.step = step;
        diagram_->update();
        showWords();
    });
    facts_.step = selection->step();
    showWords();
}

ArchitectureView::~ArchitectureView() {
    delete diagram_; // before facts_, which it refers to
}

void ArchitectureView::build() {
    tree_->setModel(table_);
    tree_->setAccessibleName(tr("Blocks of the model, with sizes and statistics"));
    tree_->setUniformRowHeights(true);
    tree_->setAlternatingRowColors(true);
    tree_->header()->setStretchLastSection(false);
    stack_->addWidget(diagram_);
    stack_->addWidget(tree_);
    static_cast<WrappedLabel*>(line_)->setLines(1);
    line_->setForegroundRole(QPalette::PlaceholderText);
    auto* bar = new QHBoxLayout(bar_);
    bar->setContentsMargins(space::xs, 0, 0, 0);
    bar->addWidget(line_, 1);
    bar->addWidget(pages_);
    numbers_->setTextFormat(Qt::RichText);
    numbers_->setWordWrap(true);
    numbers_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    numbers_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    area_->setWidget(numbers_);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setAccessibleName(tr("Numbers of the chosen block"));
    auto* inside = new QVBoxLayout(inspector_);
    inside->setContentsMargins(space::m, space::s, space::xs, space::s);
    inside->addWidget(title_);
    inside->addWidget(area_, 1);
    row_->setSpacing(space::m);
    row_->addWidget(stack_, 2);
    row_->addWidget(inspector_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::xs, space::xs, space::xs, space::xs);
    column->addWidget(bar_);
    column->addLayout(row_, 1);
}

/// Numbers stand at the right, in a narrow view below.
void ArchitectureView::resizeEvent(QResizeEvent* event) {
    constexpr int wideInspector = 316, leastDiagram = 420;
    View::resizeEvent(event);
    const bool isWide = width() >= wideInspector + leastDiagram;
    row_->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    inspector_->setMinimumWidth(isWide ? wideInspector : 0);
    inspector_->setMaximumWidth(isWide ? wideInspector : QWIDGETSIZE_MAX);
}

void ArchitectureView::setModel(std::shared_ptr<const trace::ModelSummary> model) {
    if (model == facts_.model)
        return;
    facts_.model = std::move(model);
    facts_.run.reset();
    facts_.flow.reset();
    facts_.whyNoFlow.clear();
    facts_.architecture = facts_.model ? analysis::architectureOf(*facts_.model) : analysis::Architecture();
    diagram_->modelChanged();
    follow(selection_->head());
    factsChanged();
    Q_EMIT questionsChanged();
}

void ArchitectureView::setRun(std::shared_ptr<const trace::Run> run) {
    if (run)
        setModel(run->model);
    facts_.run = std::move(run);
    facts_.flow.reset();
    facts_.whyNoFlow.clear();
    factsChanged();
    Q_EMIT questionsChanged();
}

ArchitectureView::Page ArchitectureView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

void ArchitectureView::setPage(Page page) {
    pages_->setCurrentIndex(page);
}

void ArchitectureView::setSpaceMarksShown(bool shown) {
    spaceMarks_ = shown;
    diagram_->setSpaceMarksShown(shown);
}

std::vector<trace::Wanted> ArchitectureView::questions() const {
    const auto& run = facts_.run;
    if (!run || !run->complete)
        return {};
    return {trace::Question{.request = analysis::fedRequest(analysis::shownRequest(*run), *run),
                            .what = trace::FlowWhat()}};
}

void ArchitectureView::refresh() {
    const auto asked = questions();
    if (asked.empty())
        return;
    const auto& question = std::get<trace::Question>(asked.front());
    auto flow = context().known->of(question.request, trace::FlowWhat());
    const QString whyNot = inWords(context().known->refusalOf(question));
    if ((!flow && whyNot.isEmpty()) || (flow == facts_.flow && whyNot == facts_.whyNoFlow))
        return;
    facts_.flow = std::move(flow);
    facts_.whyNoFlow = whyNot;
    factsChanged();
}

void ArchitectureView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    showTable();
    showWords();
}

/// Moves the cursor to the attention of the selected head.
void ArchitectureView::follow(const trace::HeadAddress& head) {
    const std::string layer = std::to_string(head.site.layer);
    diagram_->setCurrent(head.site.kind == trace::AttentionKind::EncoderSelf ? "encoder." + layer + ".self"
                         : head.site.kind == trace::AttentionKind::DecoderSelf
                             ? "decoder." + layer + ".self"
                             : "decoder." + layer + ".cross");
}

/// Selects the attention of the block. For other blocks of a layer, selects an attention of this layer, of
/// the current kind if the layer has it. Keeps the number of the head.
void ArchitectureView::select(const std::string& role) {
    const auto* block = facts_.architecture.find(role);
    if (!block || block->layer < 0)
        return;
    using trace::AttentionKind;
    using trace::SublayerKind;
    const auto kind = block->sublayer ? std::optional(block->sublayer->kind) : std::nullopt;
    const bool staysCross = selection_->head().site.kind == AttentionKind::Cross;
    const AttentionKind attention = block->side == analysis::Side::Source       ? AttentionKind::EncoderSelf
                                    : kind == SublayerKind::DecoderSelf         ? AttentionKind::DecoderSelf
                                    : kind == SublayerKind::Cross || staysCross ? AttentionKind::Cross
                                                                                : AttentionKind::DecoderSelf;
    const std::size_t last = std::max(0, facts_.model->heads(attention) - 1);
    const QSignalBlocker quiet(diagram_); // keeps the cursor on the block the user chose
    selection_->setHead({{attention, block->layer}, std::min<std::size_t>(selection_->head().head, last)});
    diagram_->setCurrent(role);
}

void ArchitectureView::factsChanged() {
    diagram_->factsChanged();
    tableStale_ = true;
    showTable();
    showWords();
}

void ArchitectureView::showTable() {
    if (!tableStale_ || !isVisible() || stack_->currentWidget() != tree_)
        return;
    tableStale_ = false;
    const QSignalBlocker quiet(tree_->selectionModel());
    const TreePlace place = placeIn(*tree_);
    fillArchitectureTable(*table_, facts_);
    tree_->expandToDepth(1);
    goBack(*tree_, place);
    for (int column = 0; column < table_->columnCount(); ++column)
        tree_->resizeColumnToContents(column);
}

QString ArchitectureView::caption() const {
    return !facts_.model    ? QString()
           : isTableShown() ? architectureTableCaption(facts_)
                            : architectureCaption(facts_);
}

QString ArchitectureView::details() const {
    const auto* block = diagram_->current();
    return block ? blockInWords(facts_, *block).mid(1).join(QChar('\n')) : QString();
}

/// A table of two columns, with headings.
QString ArchitectureView::numbers() const {
    const auto* block = diagram_->current();
    if (!block)
        return {};
    const auto escaped = [](const QString& words) {
        return words.toHtmlEscaped().replace(QChar('\n'), QStringLiteral("<br>"));
    };
    QString rows;
    for (const auto& [name, value] : blockFacts(facts_, *block))
        rows += value.isEmpty()
                    ? QStringLiteral("<tr><td colspan=2 style='padding-top:8px'><b>%1</b></td></tr>")
                          .arg(escaped(name))
                    : QStringLiteral("<tr><td style='padding-right:8px'>%1</td><td>%2</td></tr>")
                          .arg(escaped(name), escaped(value));
    for (const auto& note : facts_.model->notes)
        rows += QStringLiteral("<tr><td colspan=2 style='padding-top:8px'>%1</td></tr>")
                    .arg(escaped(tr("Note: %1").arg(QString::fromStdString(note))));
    return QStringLiteral("<table cellspacing=2 width='100%'>%1</table>").arg(rows);
}

void ArchitectureView::showWords() {
    if (!isVisible())
        return;
    const auto* block = diagram_->current();
    title_->setTitle(block ? blockName(facts_, *block) : QString());
    title_->setHelp(facts_.model ? QStringList{details(), caption(), memoryInWords(facts_)}.join(QChar('\n'))
                                 : QString());
    numbers_->setText(numbers());
    numbers_->setAccessibleName(details());
    line_->setText(facts_.model ? modelInShort(facts_) : QString());
    setPlainToolTip(pages_, caption());
    inspector_->setVisible(facts_.model != nullptr && page() == Page::Diagram);
    describeForReaders(diagram_, block ? blockInWords(facts_, *block).join(QStringLiteral(" ")) : QString());
}

bool ArchitectureView::isTableShown() const {
    return stack_->currentWidget() == tree_ && table_->rowCount() > 0;
}

QString ArchitectureView::wholeNote() const {
    return isZoomed() ? QChar(' ') + tr("The whole diagram, including its hidden part.") : QString();
}

/// The description of the marked block is one of the marks.
QString ArchitectureView::wordsBelow(const FigureParts& parts) const {
    const auto* block = parts.marks && !isTableShown() ? diagram_->current() : nullptr;
    QStringList words{caption() + (parts.notes ? wholeNote() : QString()),
                      block ? blockInWords(facts_, *block).join(QChar('\n')) : QString(),
                      memoryInWords(facts_)};
    words.removeAll(QString());
    return words.join(QChar('\n'));
}

/// Always the whole diagram.
FigureBlock ArchitectureView::diagramBlock() const {
    const auto layout = diagram_->wholeLayout();
    const auto* current = figureParts().marks ? diagram_->current() : nullptr;
    const auto marked = current ? layout.boxOf(current->role) : std::nullopt;
    return {
        .size = [size = layout.size](double) { return size; },
        .draw =
            [=, this](QPainter& painter, const QRectF& area, const Theme& theme) {
                const double scale =
                    std::min({1.0, area.width() / layout.size.width(), area.height() / layout.size.height()});
                painter.save();
                painter.translate(area.center().x() - layout.size.width() * scale / 2, area.top());
                painter.scale(scale, scale);
                drawArchitecture(painter, layout, facts_, {.current = marked, .spaceMarks = spaceMarks_},
                                 theme);
                painter.restore();
            },
        .grows = false,
        .note = [words = figureParts().caption ? QString() : wholeNote()](const QRectF&) { return words; }};
}

std::optional<FigureBlocks> ArchitectureView::figureBlocks() const {
    if (!facts_.model)
        return std::nullopt;
    return FigureBlocks{.picture = isTableShown() ? tableFigure(*tree_, font()).block() : diagramBlock(),
                        .caption = wordsBelow(figureParts()),
                        .font = font()};
}

FigureText ArchitectureView::figureText() const {
    return {.title = tr("Architecture"),
            .caption = wordsBelow({}).replace(QChar('\n'), QChar(' ')),
            .provenance = facts_.run     ? provenance(*facts_.run)
                          : facts_.model ? QString::fromStdString(facts_.model->name)
                                         : QString()};
}

trace::FigureData ArchitectureView::figureData() const {
    return hasFigure() ? trace::FigureData{.tables = {blockNumbers(facts_)}} : trace::FigureData();
}

bool ArchitectureView::isZoomed() const {
    return !isTableShown() && !diagram_->zoom().empty();
}

std::optional<PictureOptions> ArchitectureView::picture(PictureOptions options) const {
    return ofView(std::move(options), "architecture");
}

void ArchitectureView::addChoices(ViewChoices& choices) {
    choices.addPage("architecture", this);
    auto* diagram = findChild<ArchitectureDiagram*>();
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

View* views::makers::architecture(Selection* selection, QWidget* parent) {
    return new ArchitectureView(selection, parent);
}

} // namespace headscope::widgets

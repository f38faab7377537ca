#include "widgets/views/architecture/architecture_table.h"

#include "model/analysis/architecture/architecture_memory.h"
#include "widgets/export/figure_data_parts.h"
#include "widgets/views/architecture/architecture_titles.h"
#include "widgets/views/architecture/architecture_words.h"
#include "widgets/words/captions.h"

#include <QCoreApplication>
#include <QLocale>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTreeView>

#include <cmath>

namespace headscope::widgets {

namespace {

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

void addRows(QStandardItem* parent, const ArchitectureFacts& facts,
             const std::vector<ArchitectureBlock>& blocks) {
    const auto parameters = [&](const ArchitectureBlock& block) {
        return analysis::parametersAreKnown(*facts.model) ? QLocale().toString(qint64(block.parameters))
                                                          : QString();
    };
    for (const auto& block : blocks) {
        auto* name = cell(blockName(facts, block), false);
        name->setData(QString::fromStdString(block.role), Qt::UserRole);
        QStringList out;
        for (const auto& tensor : block.out)
            out += tensorInWords(facts, tensor);
        const auto bytes = [&](int times) {
            auto lengths = facts.lengths();
            if (!lengths)
                return cell({});
            lengths->source *= times;
            lengths->target *= times;
            const double bytes = analysis::activationBytes(block, *lengths);
            return cell(std::isnan(bytes) ? QString() : bytesInWords(bytes));
        };
        parent->appendRow(QList<QStandardItem*>{name, cell(out.join(QStringLiteral(", ")), false),
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

} // namespace

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

namespace {

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

using analysis::ArchitectureBlock;

struct BlockColumns {
    QStringList roles, shapes;
    std::vector<double> parameters, activations, atTwice, atTenTimes;
    std::vector<double> before, added, after, cosine, units, dead;

    void add(const ArchitectureFacts& facts, const std::vector<ArchitectureBlock>& blocks) {
        for (const auto& block : blocks) {
            roles += QString::fromStdString(block.role);
            QStringList out;
            for (const auto& tensor : block.out)
                out += tensorInWords(facts, tensor);
            shapes += out.join(QStringLiteral("; "));
            parameters.push_back(analysis::parametersAreKnown(*facts.model)
                                     ? static_cast<double>(block.parameters)
                                     : noNumber);
            activations.push_back(bytes(facts, block, 1));
            atTwice.push_back(bytes(facts, block, 2));
            atTenTimes.push_back(bytes(facts, block, 10));
            addFlow(facts, block);
            add(facts, block.children);
        }
    }

  private:
    static double bytes(const ArchitectureFacts& facts, const ArchitectureBlock& block, int times) {
        auto lengths = facts.lengths();
        if (!lengths)
            return noNumber;
        lengths->source *= times;
        lengths->target *= times;
        return analysis::activationBytes(block, *lengths);
    }

    void addFlow(const ArchitectureFacts& facts, const ArchitectureBlock& block) {
        const auto* flow = facts.measuredAt(block);
        const auto mean = [&](const std::vector<double> trace::SublayerFlow::*part) {
            return flow ? meanOf(facts, block.side, flow->*part) : noNumber;
        };
        before.push_back(mean(&trace::SublayerFlow::before));
        added.push_back(mean(&trace::SublayerFlow::added));
        after.push_back(mean(&trace::SublayerFlow::after));
        cosine.push_back(mean(&trace::SublayerFlow::cosine));
        units.push_back(flow && flow->units > 0 ? static_cast<double>(flow->units) : noNumber);
        dead.push_back(flow && flow->units > 0 ? static_cast<double>(flow->deadUnits) : noNumber);
    }
};

} // namespace

TableFigure tableFigure(const QTreeView& tree, const QFont& font) {
    TableFigure table{.font = font};
    for (int column = 0; column < tree.model()->columnCount(); ++column)
        table.columns.push_back({.title = tree.model()->headerData(column, Qt::Horizontal).toString(),
                                 .atRight = column >= 2}); // after the block and its shapes
    addRows(table, tree, {}, 0);
    return table;
}

trace::DataTable blockNumbers(const ArchitectureFacts& facts) {
    BlockColumns all;
    all.add(facts, facts.architecture.source);
    all.add(facts, facts.architecture.target);
    return {.name = "blocks",
            .columns = {dataColumn("block", all.roles), dataColumn("out", all.shapes),
                        dataColumn("parameters", all.parameters),
                        dataColumn("activation_bytes", all.activations),
                        dataColumn("activation_bytes_at_twice", all.atTwice),
                        dataColumn("activation_bytes_at_ten_times", all.atTenTimes),
                        dataColumn("stream_before", all.before), dataColumn("added", all.added),
                        dataColumn("stream_after", all.after), dataColumn("cosine", all.cosine),
                        dataColumn("units", all.units), dataColumn("dead_units", all.dead)}};
}

} // namespace headscope::widgets

#include "widgets/views/architecture/architecture_table.h"

#include "model/analysis/architecture/architecture_memory.h"
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

} // namespace headscope::widgets

// The figure of the table of blocks.
#include "widgets/views/architecture/architecture_table.h"

#include <QAbstractItemModel>
#include <QTreeView>

namespace headscope::widgets {

namespace {

constexpr int deepest = 2; ///< stack, layer, sublayer

void addRows(TableFigure& table, const QTreeView& tree, const QModelIndex& parent, int depth) {
    const auto& model = *tree.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex block = model.index(row, 0, parent);
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString indent = column == 0 ? QString(3 * depth, QChar(0x2007)) : QString();
            table.columns[static_cast<std::size_t>(column)].texts +=
                indent + block.siblingAtColumn(column).data().toString();
        }
        if (depth < deepest)
            addRows(table, tree, block, depth + 1);
    }
}

} // namespace

TableFigure tableFigure(const QTreeView& tree, const QString& caption, const FigureParts& parts,
                        const QFont& font) {
    TableFigure table{.columns = {}, .caption = caption, .font = font, .parts = parts};
    for (int column = 0; column < tree.model()->columnCount(); ++column)
        table.columns.push_back({.title = tree.model()->headerData(column, Qt::Horizontal).toString(),
                                 .atRight = column >= 2}); // after the block and its shapes
    addRows(table, tree, {}, 0);
    return table;
}

} // namespace headscope::widgets

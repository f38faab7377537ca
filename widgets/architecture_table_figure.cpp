// The table of blocks as a picture.
#include "widgets/architecture_table.h"
#include "widgets/theme.h"

#include <QAbstractItemModel>
#include <QFontMetricsF>
#include <QPainter>
#include <QTreeView>

#include <algorithm>
#include <vector>

namespace headscope::widgets {

namespace {

constexpr double cellPadding = 8;
constexpr double indent = 14;

struct Row {
    int depth = 0;
    QStringList cells;
};

struct Table {
    QStringList titles;
    std::vector<Row> rows;
    std::vector<double> widths;
    double line = 0; ///< height of a row
};

void addRows(Table& table, const QTreeView& tree, const QModelIndex& parent, int depth) {
    const auto& model = *tree.model();
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex block = model.index(row, 0, parent);
        Row made{.depth = depth};
        for (int column = 0; column < model.columnCount(); ++column)
            made.cells += block.siblingAtColumn(column).data().toString();
        table.rows.push_back(std::move(made));
        if (tree.isExpanded(block))
            addRows(table, tree, block, depth + 1);
    }
}

Table tableOf(const QTreeView& tree, const QFont& font) {
    const QFontMetricsF metrics(font);
    Table table{.line = metrics.height() + 6};
    for (int column = 0; column < tree.model()->columnCount(); ++column)
        table.titles += tree.model()->headerData(column, Qt::Horizontal).toString();
    addRows(table, tree, {}, 0);
    for (int column = 0; column < table.titles.size(); ++column) {
        double width = metrics.horizontalAdvance(table.titles[column]);
        for (const Row& row : table.rows)
            width = std::max(width, metrics.horizontalAdvance(row.cells[column]) +
                                        (column == 0 ? row.depth * indent : 0));
        table.widths.push_back(width + 2 * cellPadding);
    }
    return table;
}

bool isText(int column) {
    return column < 2; // the block and its shapes
}

} // namespace

QSizeF tableFigureSize(const QTreeView& tree, const QFont& font) {
    const Table table = tableOf(tree, font);
    double width = 0;
    for (const double column : table.widths)
        width += column;
    return {width, table.line * static_cast<double>(table.rows.size() + 1)};
}

void drawTableFigure(QPainter& painter, const QTreeView& tree, const QFont& font, const Theme& theme) {
    const Table table = tableOf(tree, font);
    const double width = tableFigureSize(tree, font).width();
    painter.setFont(font);
    const auto drawRow = [&](double top, const QStringList& cells, double indented, const QColor& ink) {
        painter.setPen(ink);
        double left = 0;
        for (int column = 0; column < cells.size(); ++column) {
            const double wide = table.widths[static_cast<std::size_t>(column)];
            const QRectF cell(left, top, wide, table.line);
            painter.drawText(
                cell.adjusted(cellPadding + (column == 0 ? indented : 0), 0, -cellPadding + 1, 0),
                (isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, cells[column]);
            left += wide;
        }
    };
    drawRow(0, table.titles, 0, theme.faintText);
    painter.fillRect(QRectF(0, table.line - 1, width, 1), theme.line);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const double top = table.line * static_cast<double>(row + 1);
        if (row % 2 == 1)
            painter.fillRect(QRectF(0, top, width, table.line), theme.panel);
        drawRow(top, table.rows[row].cells, table.rows[row].depth * indent, theme.text);
    }
}

} // namespace headscope::widgets

// What of a table is copied.
#include "widgets/tables/numbers_table.h"

#include <QStringList>

namespace headscope::widgets {

QString selectedText(const QTableView& table, const std::function<QString(const QModelIndex&)>& copied,
                     const std::function<bool(int)>& isLeftOut) {
    const auto& model = *table.model();
    const auto* selected = table.selectionModel();
    const bool all = !selected->hasSelection();
    const auto isWanted = [&](const QModelIndex& index) { return all || selected->isSelected(index); };
    std::vector<int> columns;
    for (int column = 0; column < model.columnCount(); ++column) {
        bool isAny = false;
        for (int row = 0; row < model.rowCount() && !isAny; ++row)
            isAny = isWanted(model.index(row, column));
        if (isAny && !(isLeftOut && isLeftOut(column)))
            columns.push_back(column);
    }
    QStringList lines;
    const auto line = [&](auto&& text) {
        QStringList cells;
        for (const int column : columns)
            cells += text(column);
        lines += cells.join('\t');
    };
    line([&](int column) { return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int row = 0; row < model.rowCount(); ++row)
        if (all || selected->rowIntersectsSelection(row, {}))
            line([&](int column) {
                const auto index = model.index(row, column);
                return isWanted(index) ? copied(index) : QString();
            });
    return lines.join('\n');
}

} // namespace headscope::widgets

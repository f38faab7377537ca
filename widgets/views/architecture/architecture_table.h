#pragma once

#include <QPoint>

#include "model/trace/figure_data.h"
#include "widgets/tables/table_figure.h"
#include "widgets/views/architecture/architecture_facts.h"

#include <set>
#include <string>

class QModelIndex;
class QStandardItemModel;
class QTreeView;

namespace headscope::widgets {

/// Fills a tree of all blocks of a model and their numbers, whatever is folded in the diagram.
void fillArchitectureTable(QStandardItemModel& table, const ArchitectureFacts& facts);

/// Stacks, layers and sublayers as a picture, whatever is unfolded.
TableFigure tableFigure(const QTreeView& tree, const QFont& font);

/// Numbers of all blocks.
trace::DataTable blockNumbers(const ArchitectureFacts& facts);

/// The role of the block in the row of `index`.
std::string roleAt(const QModelIndex& index);

/// The state of a tree view, stored by roles of blocks so that it survives refilling the table.
struct TreePlace {
    std::string current;
    std::set<std::string> known;
    std::set<std::string> expanded;
    QPoint scrolled;
};

TreePlace placeIn(const QTreeView& tree);
void goBack(QTreeView& tree, const TreePlace& place);

} // namespace headscope::widgets

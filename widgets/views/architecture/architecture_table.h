#pragma once

#include <QPoint>

#include "widgets/tables/table_figure.h"
#include "widgets/views/architecture/architecture_facts.h"

#include <set>
#include <string>

class QModelIndex;
class QStandardItemModel;
class QTreeView;

namespace headscope::widgets {

/// Fills a tree of all blocks of a model with their numbers, folded or not in the picture.
void fillArchitectureTable(QStandardItemModel& table, const ArchitectureFacts& facts);

/// Stacks, layers and sublayers as a picture, whatever is unfolded.
TableFigure tableFigure(const QTreeView& tree, const QString& caption, const FigureParts& parts,
                        const QFont& font);

/// Of the block in the row of `index`.
std::string roleAt(const QModelIndex& index);

/// Where a person is in the table: by the blocks' roles, which stay when their numbers become others.
struct TreePlace {
    std::string current;
    std::set<std::string> known;
    std::set<std::string> expanded;
    QPoint scrolled;
};

TreePlace placeIn(const QTreeView& tree);
void goBack(QTreeView& tree, const TreePlace& place);

} // namespace headscope::widgets

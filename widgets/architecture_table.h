#pragma once

#include <QFont>
#include <QPoint>
#include <QSizeF>

#include "widgets/architecture_facts.h"

#include <set>
#include <string>

class QModelIndex;
class QPainter;
class QStandardItemModel;
class QTreeView;

namespace headscope::widgets {

struct Theme;

/// Fills a tree of all blocks of a model with their numbers, folded or not in the picture.
void fillArchitectureTable(QStandardItemModel& table, const ArchitectureFacts& facts);

/// The rows that are unfolded in the tree, as a picture of the size that they need.
QSizeF tableFigureSize(const QTreeView& tree, const QFont& font);
void drawTableFigure(QPainter& painter, const QTreeView& tree, const QFont& font, const Theme& theme);

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

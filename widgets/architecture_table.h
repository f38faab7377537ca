#pragma once

#include <string>

#include "widgets/architecture_facts.h"

class QStandardItemModel;
class QModelIndex;

namespace headscope::widgets {

/// Fills a tree of all blocks of a model with their numbers, folded or not in the picture.
void fillArchitectureTable(QStandardItemModel& table, const ArchitectureFacts& facts);

/// Of the block in the row of `index`.
std::string roleAt(const QModelIndex& index);

} // namespace headscope::widgets

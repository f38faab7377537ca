#include "widgets/tables/column_model.h"

#include "widgets/drawing/theme.h"
#include "widgets/tables/token_delegate.h"
#include "widgets/words/plain_text.h"

#include <QFont>
#include <QWidget>

#include <algorithm>
#include <numeric>

namespace headscope::widgets {

std::vector<int> ColumnModel::inOrder() const {
    std::vector<int> rows;
    if (content_.listed)
        rows = *content_.listed;
    else if (!content_.columns.empty()) {
        rows.resize(content_.columns.front().rows());
        std::iota(rows.begin(), rows.end(), 0);
    }
    if (isOwnOrder() || sortColumn_ < 0 || sortColumn_ >= columnCount())
        return rows;
    return sorted(std::move(rows), column(sortColumn_), sortOrder_ == Qt::DescendingOrder);
}

void ColumnModel::setContent(TableContent content) {
    for (TableColumn& column : content.columns)
        column = prepared(std::move(column));
    subtitles_.clear();
    const bool isSame = !content.heads.empty() && content.heads == content_.heads &&
                        content.listed == content_.listed && content.isOwnOrder == content_.isOwnOrder &&
                        content.columns.size() == content_.columns.size();
    if (content.listed != content_.listed || content.isOwnOrder != content_.isOwnOrder)
        sortedByUser_ = false;
    if (!isSame) {
        beginResetModel();
        content_ = std::move(content);
        rows_ = inOrder();
        return endResetModel();
    }
    content_ = std::move(content);
    if (!isOwnOrder() && sortColumn_ >= 0)
        putInOrder();
    if (!rows_.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ColumnModel::setMarked(std::optional<int> row) {
    content_.marked = row;
    if (!rows_.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ColumnModel::setBarsAloneShown(bool shown) {
    barsAlone_ = shown;
}

void ColumnModel::setSubtitles(std::vector<QString> subtitles) {
    if (subtitles_ == subtitles)
        return;
    subtitles_ = std::move(subtitles);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QModelIndex ColumnModel::indexOf(int row, int column) const {
    const auto found = std::ranges::find(rows_, row);
    return found == rows_.end() ? QModelIndex() : index(found - rows_.begin(), column);
}

QModelIndex ColumnModel::indexOf(const trace::HeadAddress& head) const {
    const auto found = std::ranges::find(content_.heads, head);
    return found == content_.heads.end() ? QModelIndex() : indexOf(found - content_.heads.begin());
}

int ColumnModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_.size();
}

int ColumnModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : content_.columns.size();
}

QVariant ColumnModel::barData(const TableColumn& column, int row, int role) const {
    using Bars = TableColumn::Bars;
    const bool isUnder = column.bars == Bars::Under || (column.bars == Bars::UnderIfNoRoom && !barsAlone_);
    const auto number = numberAt(column, row);
    if (!number || (!isUnder && column.bars != Bars::Alone))
        return {};
    switch (role) {
    case BarValueRole:
        return *number;
    case BarLimitRole:
        return column.longest;
    case BarPlaceRole:
        return static_cast<int>(isUnder ? Bars::Under : Bars::Alone);
    case BarTrackRole:
        return column.tracked;
    case SecondBarRole:
        return column.second.empty() ? QVariant() : QVariant(column.second.at(row).value_or(0));
    case TickIsOriginalRole:
        return column.ticksAreOriginal;
    case TickRole:
        return column.ticks.empty() || !column.ticks.at(row) ? QVariant() : QVariant(*column.ticks.at(row));
    default:
        return column.fromLeft;
    }
}

QVariant ColumnModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TableColumn& cells = column(index.column());
    const int row = this->row(index);
    switch (role) {
    case Qt::DisplayRole:
        return textAt(cells, row);
    case Qt::TextAlignmentRole:
        return static_cast<int>(cells.alignment());
    case Qt::FontRole: {
        if (!content_.marked)
            return {};
        QFont font = static_cast<QWidget*>(parent())->font();
        font.setBold(row == content_.marked);
        return font;
    }
    case Qt::ForegroundRole: {
        const Theme& theme = themeOf(static_cast<QWidget*>(parent())->palette());
        return content_.across.contains(row) ? QVariant(theme.accent)
               : cells.isOriginal            ? QVariant(theme.changed)
                                             : QVariant();
    }
    case Qt::ToolTipRole:
        return content_.toolTip ? QVariant(plainToolTip(content_.toolTip(row, index.column()))) : QVariant();
    case Qt::AccessibleTextRole:
        return content_.words ? QVariant(content_.words(row)) : QVariant();
    case TokenDelegate::labelRole:
        return cells.tokens.empty() ? QVariant() : QVariant::fromValue(cells.tokens.at(row));
    case BarValueRole:
    case BarLimitRole:
    case BarPlaceRole:
    case BarFromLeftRole:
    case BarTrackRole:
    case SecondBarRole:
    case TickRole:
    case TickIsOriginalRole:
        return barData(cells, row, role);
    case RuledRole:
        return content_.ruled.contains(row);
    default:
        return {};
    }
}

QVariant ColumnModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn& cells = column(section);
    const std::size_t place = section;
    switch (role) {
    case Qt::DisplayRole: {
        const QString subtitle = place < subtitles_.size() ? subtitles_[place] : cells.subtitle;
        return subtitle.isEmpty() ? cells.title : cells.title + QChar('\n') + subtitle;
    }
    case Qt::ToolTipRole:
        return cells.toolTip;
    case Qt::TextAlignmentRole:
        return static_cast<int>(cells.alignment());
    case Qt::InitialSortOrderRole:
        return static_cast<int>(cells.isNumeric() && !cells.smallestFirst ? Qt::DescendingOrder
                                                                          : Qt::AscendingOrder);
    default:
        return {};
    }
}

void ColumnModel::sort(int column, Qt::SortOrder order) {
    sortColumn_ = column;
    sortOrder_ = order;
    sortedByUser_ = true;
    putInOrder();
}

void ColumnModel::putInOrder() {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList kept = persistentIndexList();
    std::vector<int> keptRows;
    for (const QModelIndex& index : kept)
        keptRows.push_back(row(index));
    rows_ = inOrder();
    for (qsizetype i = 0; i < kept.size(); ++i)
        changePersistentIndex(kept[i], indexOf(keptRows[i], kept[i].column()));
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

} // namespace headscope::widgets

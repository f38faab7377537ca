#pragma once

#include <QAbstractTableModel>

#include "model/trace/attention_site.h"
#include "widgets/tables/table_column.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace headscope::widgets {

/// Content of a table. `row` below is the index in the columns, regardless of the order on screen.
struct TableContent {
    std::vector<TableColumn> columns = {};
    std::vector<trace::HeadAddress> heads = {};  ///< of the rows, if each row is a head
    std::optional<std::vector<int>> listed = {}; ///< only these rows; nothing: all
    bool isOwnOrder = false;                     ///< rows are in the order of `listed` until sorted
    std::optional<int> marked = {};              ///< a row in bold, scrolled to
    std::set<int> across = {};                   ///< rows whose first cell has the width of the table
    std::set<int> ruled = {};                    ///< rows below a line
    std::function<QString(int row, int column)> toolTip = {}; ///< plain text; may be empty
    std::function<QString(int row)> words = {};               ///< a row for screen readers; may be empty
};

/// The columns of a table as a Qt model: the listed rows, in the order of one column.
class ColumnModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role {
        BarValueRole = Qt::UserRole + 1, ///< double; invalid: no bar
        BarLimitRole,                    ///< double, the number of a full bar
        BarPlaceRole,                    ///< TableColumn::Bars
        BarFromLeftRole,                 ///< bool
        BarTrackRole,                    ///< bool
        SecondBarRole,                   ///< double; invalid: none
        TickRole,                        ///< double; invalid: none
        TickIsOriginalRole,              ///< bool
        RuledRole                        ///< bool
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps selection and scroll position if the listed heads are unchanged.
    void setContent(TableContent content);
    /// Another row of the content is marked; cursor and order stay.
    void setMarked(std::optional<int> row);
    const TableContent& content() const { return content_; }
    /// True if columns of Bars::Alone fit.
    void setBarsAloneShown(bool shown);
    /// What is shown of each subtitle, until the content is another.
    void setSubtitles(std::vector<QString> subtitles);

    const TableColumn& column(int column) const { return content_.columns.at(column); }
    /// In the order on screen.
    const std::vector<int>& rows() const { return rows_; }
    /// Returns the row of the content at an index.
    int row(const QModelIndex& index) const { return rows_.at(index.row()); }
    /// Invalid if the row is not listed.
    QModelIndex indexOf(int row, int column = 0) const;
    QModelIndex indexOf(const trace::HeadAddress& head) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

  private:
    bool isOwnOrder() const { return content_.isOwnOrder && !sortedByUser_; }
    std::vector<int> inOrder() const;
    void putInOrder();
    QVariant barData(const TableColumn& column, int row, int role) const;

    TableContent content_;
    std::vector<int> rows_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
    bool sortedByUser_ = false; ///< since the listed rows changed
    bool barsAlone_ = true;
    std::vector<QString> subtitles_;
};

} // namespace headscope::widgets

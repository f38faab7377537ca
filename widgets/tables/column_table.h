#pragma once

#include <QTableView>

#include "widgets/figure_source.h"
#include "widgets/selection.h"
#include "widgets/tables/column_model.h"
#include "widgets/tables/table_figure.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

class FrozenColumn;

/// A table made from a list of columns. Ctrl+C copies what is selected, or all, with titles, separated by
/// tabs as spreadsheets take it.
class ColumnTable : public QTableView {
    Q_OBJECT

  public:
    /// What happens where the columns need more room than there is.
    enum class NoRoom {
        Scroll, ///< sideways; the first column stays in sight
        Drop    ///< columns disappear, TableColumn::dropped says which first
    };

    explicit ColumnTable(QWidget* parent = nullptr, NoRoom noRoom = NoRoom::Scroll);

    /// Rows can be sorted by every column; `column` comes first.
    void setSortable(int column, Qt::SortOrder order);
    /// Each row is a head: the selected row is the head of the selection, which outlives the table.
    void followHeads(Selection* selection);

    /// The marked row comes into sight. So does the selected head if other heads are listed, unless the table
    /// is sorted by a number: then the first rows are what it is looked at for.
    void setContent(TableContent content);
    void setColumns(std::vector<TableColumn> columns, std::optional<int> marked = std::nullopt);
    const TableContent& content() const { return model_->content(); }
    /// Rows of the content, in the order on screen.
    const std::vector<int>& rows() const { return model_->rows(); }
    /// The head of the row at a position of `view`, which is around the table.
    std::optional<PointedAt> pointedAt(QPoint position, const QWidget* view) const;
    /// The current row of the content.
    std::optional<int> currentRow() const;

    void setSpaceMarksShown(bool shown);
    /// Of all rows and the titles, so that nothing scrolls.
    int wholeHeight() const;
    /// Width at which no number is cut, including the scroll bar.
    int leastWidth() const;
    /// What Ctrl+C copies: without columns of bars, which repeat the numbers of other columns.
    QString selectedText() const;
    /// The visible columns and listed rows; `caption` and what follows are for the caller to set.
    TableFigure figure() const;

  Q_SIGNALS:
    /// Enter.
    void rowEntered(int row);
    void rowDoubleClicked(int row);
    /// A person selected another head.
    void headChosen();

  protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void updateGeometries() override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    class Delegate;
    enum class Sight { Scroll, Stay };

    void markHead(Sight sight);
    bool isSortedByNumber() const;
    /// True if the user can set the widths of columns; they are kept then.
    bool isByHand() const;
    /// Keeps widths by hand of columns that need as much as `before`, the needed widths of earlier content.
    void layOutColumns(const std::vector<int>& before = {});
    std::vector<int> neededWidths() const;
    int longestTextWidth(int column) const;
    int padding() const;
    /// By dropping columns, until `widths` fit into `room`. True for columns that stay.
    std::vector<bool> shownColumns(const std::vector<int>& widths, int room) const;
    std::vector<int> stretched(const std::vector<bool>& shown) const;
    void scrollToMarked();

    NoRoom noRoom_;
    Selection* selection_ = nullptr;
    ColumnModel* model_;
    Delegate* delegate_;
    FrozenColumn* names_ = nullptr;
    std::vector<int> needed_; ///< by each column, measured when the content or the font changes
    bool following_ = false;  ///< the table itself selects a row
};

} // namespace headscope::widgets

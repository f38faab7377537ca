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

/// A table made from a list of columns. Ctrl+C copies the selected rows, or all, with titles, separated by
/// tabs for spreadsheets.
class ColumnTable : public QTableView {
    Q_OBJECT

  public:
    /// Behaviour if the columns do not fit.
    enum class NoRoom {
        Scroll, ///< horizontally; the first column stays visible
        Drop    ///< columns disappear, in the order of TableColumn::dropped
    };

    explicit ColumnTable(QWidget* parent = nullptr, NoRoom noRoom = NoRoom::Scroll);

    /// Makes rows sortable by every column, initially by `column`.
    void setSortable(int column, Qt::SortOrder order);
    /// Each row is a head; the selected row is the head of the selection, which must outlive the table.
    void followHeads(Selection* selection);

    /// Scrolls to the marked row. If the listed heads change, also scrolls to the selected head, unless the
    /// table is sorted by a number: it then stays at the first rows.
    void setContent(TableContent content);
    /// Scrolls to another marked row of the same content.
    void setMarked(std::optional<int> row);
    void setColumns(std::vector<TableColumn> columns, std::optional<int> marked = std::nullopt);
    const TableContent& content() const { return model_->content(); }
    /// Returns the rows of the content in the order on screen.
    const std::vector<int>& rows() const { return model_->rows(); }
    /// Returns the head of the row at a position of `view`, an ancestor of the table.
    std::optional<PointedAt> pointedAt(QPoint position, const QWidget* view) const;
    /// The current row of the content.
    std::optional<int> currentRow() const;

    void setSpaceMarksShown(bool shown);
    /// Rows are closer to each other where all of them have room that way, and apart by up to `mostSpread`
    /// pixels where there is more.
    void setFitted(bool isFitted, int mostSpread = 6);
    bool isFitted() const { return isFitted_; }
    /// The marked row has the ground of what is pinned or pointed at.
    void setMarkFilled(bool isFilled);
    /// Returns the height of all rows and the titles; of fitted rows at their highest.
    int wholeHeight() const;
    /// Returns the width at which no number is cut, including the scroll bar.
    int leastWidth() const;
    /// Returns the text that Ctrl+C copies. Omits columns of bars, which repeat numbers of other columns.
    QString selectedText() const;
    /// Returns the visible columns and listed rows; the caller sets `caption` and the members after it.
    TableFigure figure() const;

  Q_SIGNALS:
    /// Enter.
    void rowEntered(int row);
    void rowDoubleClicked(int row);
    /// The user selected another head.
    void headChosen();

  protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void updateGeometries() override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    class Delegate;
    enum class Sight { Scroll, Stay };

    void markHead(Sight sight);
    bool isSortedByNumber() const;
    /// True if the user can set column widths, which are then kept.
    bool isByHand() const;
    /// Keeps widths set by the user, for columns whose needed width is still that in `before`.
    void layOutColumns(const std::vector<int>& before = {});
    std::vector<int> neededWidths() const;
    int longestTextWidth(int column) const;
    int padding() const;
    /// Drops columns until `widths` fit into `room`. Returns true for columns that stay.
    std::vector<bool> shownColumns(const std::vector<int>& widths, int room) const;
    std::vector<int> stretched(const std::vector<bool>& shown) const;
    int usualHeight() const;
    int heightOfRows() const;
    void scrollToMarked();

    NoRoom noRoom_;
    Selection* selection_ = nullptr;
    ColumnModel* model_;
    Delegate* delegate_;
    FrozenColumn* names_ = nullptr;
    std::vector<int> needed_; ///< widths per column, measured when the content or the font changes
    bool following_ = false;  ///< the selection of a row follows the selected head
    bool isFitted_ = false;
    int mostSpread_ = 0;        ///< of fitted rows, beyond what they are otherwise
    bool areBarsUnder_ = false; ///< under numbers of a column
};

} // namespace headscope::widgets

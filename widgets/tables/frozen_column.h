#pragma once

#include <QTableView>

namespace headscope::widgets {

/// A copy of a table's first column over the table, which stays visible if the table is scrolled
/// horizontally. Shares the rows, selection and order of the table.
class FrozenColumn : public QTableView {
    Q_OBJECT

  public:
    /// `table` has a model, a selection model and no vertical header; its first column cannot be moved.
    explicit FrozenColumn(QTableView* table);

    /// Called if widths, heights or positions of the table have changed.
    void follow();

  protected:
    void wheelEvent(QWheelEvent* event) override;

  private:
    void sortByIt();

    QTableView* table_;
};

} // namespace headscope::widgets

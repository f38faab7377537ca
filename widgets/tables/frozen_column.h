#pragma once

#include <QTableView>

namespace headscope::widgets {

/// The first column of a table, laid over it where the table is scrolled sideways: what a row is of stays in
/// sight. Shows the table's rows, selection and order, and acts on them as the column itself does.
class FrozenColumn : public QTableView {
    Q_OBJECT

  public:
    /// `table` has a model and a selection model, no vertical header, and keeps its first column first.
    explicit FrozenColumn(QTableView* table);

    /// Where the table has other widths, heights or places now.
    void follow();

  protected:
    void wheelEvent(QWheelEvent* event) override;

  private:
    void sortByIt();

    QTableView* table_;
};

} // namespace headscope::widgets

#pragma once

#include <QTableView>

#include "model/analysis/compare/aligned_maps.h"
#include "widgets/selection.h"

#include <vector>

class QSortFilterProxyModel;

namespace headscope::widgets {

/// What became of every head, those that changed most first, or sorted by any column. The selected row is the
/// head that is looked at in every view; several can be selected to be copied.
class HeadChangeTable : public QTableView {
    Q_OBJECT

  public:
    /// `selection` outlives the table.
    explicit HeadChangeTable(Selection* selection, QWidget* parent = nullptr);
    ~HeadChangeTable() override;

    /// `nearest`: each head stands beside the nearest one of B, not the one of its own address.
    void setChanges(std::vector<analysis::HeadChange> changes, bool nearest);
    const std::vector<analysis::HeadChange>& changes() const;
    /// Of a row as it is sorted now.
    const analysis::HeadChange& changeAt(int row) const;
    trace::HeadAddress headAt(int row) const { return changeAt(row).head; }
    /// There is something in it.
    bool isWanted(int column) const;
    /// Rows that are selected, or all, with all digits: what Ctrl+C copies.
    QString selectedText() const;

  Q_SIGNALS:
    /// A person chose a row.
    void headChosen();

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    class Model;
    void followHead();
    void fit();
    void showColumns();

    Selection* selection_;
    Model* model_;
    QSortFilterProxyModel* sorted_;
    bool nearest_ = false;
    bool following_ = false;
};

} // namespace headscope::widgets

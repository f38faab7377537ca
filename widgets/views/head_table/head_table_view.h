#pragma once

#include <QTableView>

#include "widgets/selection.h"

#include <optional>

namespace headscope::widgets {

class FrozenColumn;
class HeadTableFilter;
class HeadTableModel;

/// The rows of a head table: the selected one is the head that is looked at in every view. The heads' names
/// stay in sight where it is scrolled sideways.
class HeadTableView : public QTableView {
    Q_OBJECT

  public:
    /// All of them outlive the view; `filter` is of `model`.
    HeadTableView(Selection* selection, HeadTableModel* model, HeadTableFilter* filter,
                  QWidget* parent = nullptr);

    std::optional<trace::HeadAddress> headAt(QPoint viewportPosition) const;
    /// Columns that have something to say are shown, as wide as they need be.
    void layOutColumns();

  Q_SIGNALS:
    /// Enter or double click: the person wants to see it large.
    void headOpened(headscope::trace::HeadAddress head);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void updateGeometries() override;
    void showEvent(QShowEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    trace::HeadAddress headOf(const QModelIndex& index) const;
    void followHead();
    bool saysSomething(int column) const;

    Selection* selection_;
    HeadTableModel* model_;
    HeadTableFilter* filter_;
    FrozenColumn* names_ = nullptr;
    bool filtering_ = false; ///< rows go because of what is searched, not because another is chosen
};

} // namespace headscope::widgets

#pragma once

#include <QTableView>

#include "widgets/selection.h"
#include "widgets/views/importance/importance_model.h"

#include <optional>

namespace headscope::widgets {

/// The list of heads: the selected row is the head that is looked at in every view.
class ImportanceTable : public QTableView {
    Q_OBJECT

  public:
    /// `selection` and `model` outlive the table.
    ImportanceTable(Selection* selection, ImportanceModel* model, QWidget* parent = nullptr);

    std::optional<trace::HeadAddress> headAt(QPoint viewportPosition) const;

  Q_SIGNALS:
    /// Enter: the person wants to see it large.
    void headOpened(headscope::trace::HeadAddress head);
    /// Double click: switch it off, or on again.
    void headToggled(headscope::trace::HeadAddress head);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    void markHead();
    void followHead();
    int widestAddress() const;
    void layOutColumns();

    Selection* selection_;
    ImportanceModel* model_;
};

} // namespace headscope::widgets

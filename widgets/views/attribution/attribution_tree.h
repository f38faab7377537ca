#pragma once

#include <QTreeView>

#include "widgets/selection.h"
#include "widgets/views/attribution/attribution_model.h"

#include <set>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// The tree of parts. Selects a clicked head in all views. Sublayers stay expanded when the step changes.
class AttributionTree : public QTreeView {
    Q_OBJECT

  public:
    /// `selection` and `model` must outlive the tree.
    AttributionTree(Selection* selection, AttributionModel* model, QWidget* parent = nullptr);

    /// The top-level rows and the rows of expanded sublayers, with their depth.
    std::vector<std::pair<QModelIndex, int>> shownRows() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;

  private:
    void followModel();
    void followHead();
    int widestName() const;
    void layOutColumns();

    Selection* selection_;
    AttributionModel* model_;
    std::set<trace::SublayerAddress> unfolded_;
    int place_ = 0; ///< of the scroll bar, during a model reset
};

} // namespace headscope::widgets

#pragma once

#include <QTreeView>

#include "widgets/selection.h"
#include "widgets/views/attribution/attribution_model.h"

#include <set>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// The list of parts: a sublayer unfolds into its heads and its bias, and the head that is clicked is looked
/// at in every view. What is unfolded stays so from step to step.
class AttributionTree : public QTreeView {
    Q_OBJECT

  public:
    /// `selection` and `model` outlive the tree.
    AttributionTree(Selection* selection, AttributionModel* model, QWidget* parent = nullptr);

    /// The rows that are there to be seen, unfolded ones included, with how deep they lie.
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
    int place_ = 0; ///< of the scroll bar, while the model is filled anew
};

} // namespace headscope::widgets

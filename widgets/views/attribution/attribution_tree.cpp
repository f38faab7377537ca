#include "widgets/views/attribution/attribution_tree.h"

#include "widgets/tables/signed_bar_delegate.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace headscope::widgets {

AttributionTree::AttributionTree(Selection* selection, AttributionModel* model, QWidget* parent)
    : QTreeView(parent), selection_(selection), model_(model) {
    setAccessibleName(tr("Parts of the logit"));
    setModel(model);
    setItemDelegate(new SignedBarDelegate({.bar = AttributionModel::Bar,
                                           .number = AttributionModel::Value,
                                           .valueRole = AttributionModel::ValueRole,
                                           .limitRole = AttributionModel::LimitRole},
                                          this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setUniformRowHeights(true);
    setIndentation(fontMetrics().height());
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::Fixed);
    header()->setMinimumSectionSize(8);
    header()->setSectionsMovable(false);
    sortByColumn(AttributionModel::Part, Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (const auto sublayer = model_->unfolds(index))
            unfolded_.insert(*sublayer);
        followHead();
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (const auto sublayer = model_->unfolds(index))
            unfolded_.erase(*sublayer);
        followHead();
    });
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { place_ = verticalScrollBar()->value(); });
    connect(model_, &QAbstractItemModel::modelReset, this, &AttributionTree::followModel);
    connect(selection_, &Selection::headChanged, this, &AttributionTree::followHead);
    layOutColumns();
}

void AttributionTree::followModel() {
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex index = model_->index(row, 0);
        if (const auto sublayer = model_->unfolds(index); sublayer && unfolded_.contains(*sublayer))
            expand(index);
    }
    layOutColumns();
    followHead();
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(place_);
}

/// If the sublayer of the selected head is collapsed, marks the row of the sublayer.
void AttributionTree::followHead() {
    const QModelIndex head = model_->indexOf(selection_->head());
    const QModelIndex around = head.parent();
    const bool isInSight = !around.isValid() || isExpanded(around);
    setAutoScroll(false);
    if (head.isValid())
        setCurrentIndex(isInSight ? head : around);
    else
        clearSelection();
    setAutoScroll(true);
}

/// By click or arrow keys; a row that only gets the focus is not selected.
void AttributionTree::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTreeView::selectionChanged(selected, deselected);
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (const auto head = rows.isEmpty() ? std::nullopt : model_->head(rows.front()))
        selection_->setHead(*head);
}

std::vector<std::pair<QModelIndex, int>> AttributionTree::shownRows() const {
    std::vector<std::pair<QModelIndex, int>> rows;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex at = model_->index(row, 0);
        rows.emplace_back(at, 0);
        for (int below = 0; isExpanded(at) && below < model_->rowCount(at); ++below)
            rows.emplace_back(model_->index(below, 0, at), 1);
    }
    return rows;
}

void AttributionTree::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    layOutColumns();
}

void AttributionTree::changeEvent(QEvent* event) {
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        setIndentation(fontMetrics().height());
        layOutColumns();
    }
}

int AttributionTree::widestName() const {
    int widest = 0;
    const auto measure = [&](const QModelIndex& index, int depth) {
        const int text = fontMetrics().horizontalAdvance(index.data().toString());
        widest = std::max(widest, text + (depth + 1) * indentation());
    };
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex at = model_->index(row, 0);
        measure(at, 0);
        for (int below = 0; below < model_->rowCount(at); ++below)
            measure(model_->index(below, 0, at), 1);
    }
    return widest;
}

/// In a narrow pane, draws the bar below its number. Names are shortened last.
void AttributionTree::layOutColumns() {
    constexpr int padding = 12;
    const QFontMetrics metrics = fontMetrics();
    const int number = metrics.horizontalAdvance(QStringLiteral("+00.0000")) + padding;
    const int room = viewport()->width();
    const int name = std::clamp(widestName() + padding, 40, std::max(40, room - number));
    const int bar = room - name - number;
    const QString title =
        model_->headerData(AttributionModel::Bar, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool hasBar = bar >= metrics.horizontalAdvance(title) + padding;
    if (auto* delegate = static_cast<SignedBarDelegate*>(itemDelegate());
        std::exchange(delegate->barsUnderNumbers, !hasBar) != !hasBar)
        scheduleDelayedItemsLayout(); // the row height changes
    setColumnHidden(AttributionModel::Bar, !hasBar);
    setColumnWidth(AttributionModel::Part, name);
    setColumnWidth(AttributionModel::Bar, std::max(0, bar));
    setColumnWidth(AttributionModel::Value, number + (hasBar ? 0 : std::max(0, bar)));
}

} // namespace headscope::widgets

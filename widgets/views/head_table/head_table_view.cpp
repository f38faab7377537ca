#include "widgets/views/head_table/head_table_view.h"

#include "widgets/tables/frozen_column.h"
#include "widgets/tables/head_table_filter.h"
#include "widgets/tables/head_table_model.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace headscope::widgets {

HeadTableView::HeadTableView(Selection* selection, HeadTableModel* model, HeadTableFilter* filter,
                             QWidget* parent)
    : QTableView(parent), selection_(selection), model_(model), filter_(filter) {
    setAccessibleName(tr("Heads and their statistics"));
    // Before the view hears of it and moves on to another row.
    connect(filter_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { filtering_ = true; });
    setModel(filter);
    connect(filter_, &QAbstractItemModel::rowsRemoved, this, [this] {
        filtering_ = false;
        followHead();
    });
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setFirstSectionMovable(false);
    names_ = new FrozenColumn(this); // forgets what is selected before the head is followed
    sortByColumn(HeadTableModel::Head, Qt::AscendingOrder);
    setSortingEnabled(true);
    // Who sorts asks for the first ones.
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &QTableView::scrollToTop);
    connect(selection_, &Selection::headChanged, this, &HeadTableView::followHead);
    connect(filter_, &QAbstractItemModel::modelReset, this, [this] {
        layOutColumns();
        followHead();
    });
    // A head that a filter hid comes back selected.
    connect(filter_, &QAbstractItemModel::rowsInserted, this, &HeadTableView::followHead);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT headOpened(headOf(index)); });
    layOutColumns();
}

void HeadTableView::updateGeometries() {
    QTableView::updateGeometries();
    if (names_)
        names_->follow();
}

trace::HeadAddress HeadTableView::headOf(const QModelIndex& index) const {
    return model_->head(filter_->mapToSource(index).row());
}

std::optional<trace::HeadAddress> HeadTableView::headAt(QPoint position) const {
    const QModelIndex index = indexAt(position);
    return index.isValid() ? std::optional(headOf(index)) : std::nullopt;
}

void HeadTableView::followHead() {
    const auto row = model_->rowOf(selection_->head());
    const QModelIndex index =
        row ? filter_->mapFromSource(model_->index(*row, HeadTableModel::Head)) : QModelIndex();
    if (!index.isValid())
        return clearSelection();
    if (!selectionModel()->isRowSelected(index.row(), {}))
        selectRow(index.row());
}

/// By click or arrow keys, not where the focus alone comes to a row, and not where a filter takes a row away.
void HeadTableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    if (!selected.isEmpty() && !filtering_)
        selection_->setHead(headOf(selected.indexes().front()));
}

void HeadTableView::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || !currentIndex().isValid())
        return QTableView::keyPressEvent(event);
    selectRow(currentIndex().row());
    Q_EMIT headOpened(headOf(currentIndex()));
}

void HeadTableView::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOutColumns();
}

/// Where it was selected while there was no room to scroll in.
void HeadTableView::showEvent(QShowEvent* event) {
    QTableView::showEvent(event);
    QMetaObject::invokeMethod(
        this, [this] { scrollTo(currentIndex()); }, Qt::QueuedConnection);
}

/// In one of the rows that are listed.
bool HeadTableView::saysSomething(int column) const {
    for (int row = 0; row < filter_->rowCount(); ++row)
        if (filter_->index(row, column).data(HeadTableModel::SortRole).isValid())
            return true;
    return false;
}

/// By titles and the widest of texts, because asking every one of hundreds of rows would take too long.
void HeadTableView::layOutColumns() {
    const QFontMetrics metrics = fontMetrics();
    const int padding = 2 * metrics.averageCharWidth(); // what a cell keeps free, too
    const int arrow = metrics.height();                 // of the column that is sorted
    verticalHeader()->setDefaultSectionSize(metrics.height() + 6);
    int widestRole = 0;
    for (int row = 0; row < model_->rowCount(); ++row)
        widestRole =
            std::max(widestRole,
                     metrics.horizontalAdvance(model_->index(row, HeadTableModel::Role).data().toString()));
    for (int column = 0; column < model_->columnCount(); ++column) {
        const QString title = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int wide = metrics.horizontalAdvance(title) + arrow;
        if (column == HeadTableModel::Head)
            wide = std::max(wide, metrics.horizontalAdvance(QStringLiteral("encoder.00.00")));
        if (column == HeadTableModel::Role)
            wide = std::max(widestRole, wide);
        setColumnWidth(column, wide + padding);
    }
    for (int column = HeadTableModel::Here; column < model_->columnCount(); ++column)
        setColumnHidden(column, !saysSomething(column));
}

} // namespace headscope::widgets

#include "widgets/tables/frozen_column.h"

#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace headscope::widgets {

FrozenColumn::FrozenColumn(QTableView* table) : QTableView(table), table_(table) {
    setAccessibleName(tr("Names of the rows"));
    setModel(table->model());
    setSelectionModel(table->selectionModel());
    setSelectionBehavior(table->selectionBehavior());
    setSelectionMode(table->selectionMode());
    setShowGrid(table->showGrid());
    setAlternatingRowColors(table->alternatingRowColors());
    setWordWrap(table->wordWrap());
    setFocusPolicy(Qt::NoFocus); // keys go to the table
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(table->verticalScrollMode());
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setSortIndicatorShown(true);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &FrozenColumn::sortByIt);
    connect(table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, horizontalHeader(),
            &QHeaderView::setSortIndicator);
    connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, &FrozenColumn::follow);
    connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::follow);
    connect(table->verticalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::follow);
    connect(this, &QTableView::doubleClicked, table, &QTableView::doubleClicked);
    hide();
}

void FrozenColumn::follow() {
    const bool isNeeded = table_->horizontalScrollBar()->value() > 0;
    setVisible(isNeeded);
    if (!isNeeded)
        return;
    for (int column = 1; column < model()->columnCount(); ++column)
        setColumnHidden(column, true);
    setColumnWidth(0, table_->columnWidth(0));
    verticalHeader()->setDefaultSectionSize(table_->verticalHeader()->defaultSectionSize());
    horizontalHeader()->setFixedHeight(table_->horizontalHeader()->height());
    const QRect rows = table_->viewport()->geometry();
    setGeometry(rows.left(), table_->horizontalHeader()->geometry().top(),
                std::min(table_->columnWidth(0), rows.width()),
                rows.bottom() + 1 - table_->horizontalHeader()->geometry().top());
    verticalScrollBar()->setRange(table_->verticalScrollBar()->minimum(),
                                  table_->verticalScrollBar()->maximum());
    verticalScrollBar()->setValue(table_->verticalScrollBar()->value());
    raise();
}

/// Like a click on the table's title: reverses the order if the table is sorted by this column.
void FrozenColumn::sortByIt() {
    const auto* header = table_->horizontalHeader();
    const bool isTurned =
        header->sortIndicatorSection() == 0 && header->sortIndicatorOrder() == Qt::AscendingOrder;
    table_->sortByColumn(0, isTurned ? Qt::DescendingOrder : Qt::AscendingOrder);
    table_->scrollToTop();
}

void FrozenColumn::wheelEvent(QWheelEvent* event) {
    QApplication::sendEvent(table_->viewport(), event);
}

} // namespace headscope::widgets

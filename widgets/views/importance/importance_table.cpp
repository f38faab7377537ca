#include "widgets/views/importance/importance_table.h"

#include "widgets/tables/signed_bar_delegate.h"
#include "widgets/words/captions.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace headscope::widgets {

ImportanceTable::ImportanceTable(Selection* selection, ImportanceModel* model, QWidget* parent)
    : QTableView(parent), selection_(selection), model_(model) {
    setAccessibleName(tr("Heads by importance"));
    setModel(model);
    setItemDelegate(new SignedBarDelegate({.bar = ImportanceModel::Bar,
                                           .number = ImportanceModel::Importance,
                                           .valueRole = ImportanceModel::ValueRole,
                                           .limitRole = ImportanceModel::LimitRole},
                                          this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    // Fixed, because fitting them would ask every one of hundreds of rows at every step.
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setMinimumSectionSize(8);
    sortByColumn(ImportanceModel::Rank, Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(selection_, &Selection::headChanged, this, &ImportanceTable::followHead);
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        layOutColumns();
        markHead();
    });
    connect(model_, &QAbstractItemModel::layoutChanged, this, &ImportanceTable::markHead);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT headToggled(model_->head(index.row())); });
    layOutColumns();
}

std::optional<trace::HeadAddress> ImportanceTable::headAt(QPoint position) const {
    const QModelIndex index = indexAt(position);
    return index.isValid() ? std::optional(model_->head(index.row())) : std::nullopt;
}

/// Of another order the top is in sight, which is what it was sorted for, wherever the head is.
void ImportanceTable::markHead() {
    const auto row = model_->rowOf(selection_->head());
    setAutoScroll(false);
    if (row)
        selectRow(*row);
    else
        clearSelection();
    setAutoScroll(true);
    scrollToTop();
}

void ImportanceTable::followHead() {
    if (const auto row = model_->rowOf(selection_->head()))
        selectRow(*row);
    else
        clearSelection();
}

/// By click or arrow keys, not where the focus alone comes to a row.
void ImportanceTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    if (const QModelIndexList rows = selectionModel()->selectedRows(); !rows.isEmpty())
        selection_->setHead(model_->head(rows.front().row()));
}

void ImportanceTable::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || !currentIndex().isValid())
        return QTableView::keyPressEvent(event);
    selectRow(currentIndex().row());
    Q_EMIT headOpened(model_->head(currentIndex().row()));
}

void ImportanceTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOutColumns();
}

void ImportanceTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        layOutColumns();
}

int ImportanceTable::widestAddress() const {
    QString longest = QStringLiteral("cross.0.0");
    for (int row = 0; row < model_->rowCount(); ++row)
        if (const QString text = model_->index(row, ImportanceModel::Head).data().toString();
            text.size() > longest.size())
            longest = text;
    return fontMetrics().horizontalAdvance(longest);
}

/// Where the pane is narrow, the bar comes under its number first; then the divergence goes. The twin, which
/// was asked for, stays.
void ImportanceTable::layOutColumns() {
    const QFontMetrics metrics = fontMetrics();
    constexpr int padding = 12;
    const int arrow = metrics.height(); // of the column that is sorted
    const int rank =
        metrics.horizontalAdvance(QString::number(std::max(10, model_->rowCount()))) + padding + arrow / 2;
    const int head = widestAddress() + padding;
    const int number = metrics.horizontalAdvance(QStringLiteral("+00.0000")) + padding;
    const int twin = model_->hasTwin() ? number : 0;
    const int room = viewport()->width() - rank - head - number - twin;
    const bool hasDivergence = room >= number;
    const int bar = room - (hasDivergence ? number : 0);
    const QString title =
        model_->headerData(ImportanceModel::Bar, Qt::Horizontal, Qt::DisplayRole).toString();
    const bool hasBar = bar >= metrics.horizontalAdvance(title) + padding;
    static_cast<SignedBarDelegate*>(itemDelegate())->barsUnderNumbers = !hasBar;
    verticalHeader()->setDefaultSectionSize(metrics.height() + (hasBar ? 6 : 10));
    setColumnHidden(ImportanceModel::Divergence, !hasDivergence);
    setColumnHidden(ImportanceModel::Bar, !hasBar);
    setColumnWidth(ImportanceModel::Rank, rank);
    setColumnWidth(ImportanceModel::Head, head);
    setColumnWidth(ImportanceModel::Bar, std::max(0, bar));
    setColumnWidth(ImportanceModel::Importance, number + (hasBar ? 0 : std::max(0, bar)));
    setColumnHidden(ImportanceModel::Twin, twin == 0);
    setColumnWidth(ImportanceModel::Twin, twin);
    setColumnWidth(ImportanceModel::Divergence, number);
}

} // namespace headscope::widgets

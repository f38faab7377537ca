#include "widgets/views/compare/head_change_table.h"

#include "widgets/tables/numbers_table.h"
#include "widgets/words/importance_words.h"

#include <QAbstractTableModel>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

enum ChangeColumn {
    ChangeHead,
    ChangeOther,
    ChangeDivergence,
    ChangeLargest,
    ChangeEntropy,
    ChangeFirstOutside,
    ChangeSecondOutside,
    ChangeRows,
    ChangeColumns
};
constexpr int sortRole = Qt::UserRole + 1;

} // namespace

class HeadChangeTable::Model : public QAbstractTableModel {
  public:
    using QAbstractTableModel::QAbstractTableModel;

    std::vector<analysis::HeadChange> changes;

    void set(std::vector<analysis::HeadChange> all) {
        beginResetModel();
        changes = std::move(all);
        endResetModel();
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(changes.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : ChangeColumns;
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const auto& change = changes.at(static_cast<std::size_t>(index.row()));
        if (role == Qt::TextAlignmentRole)
            return static_cast<int>((index.column() <= ChangeOther ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
        if (role == Qt::DisplayRole)
            return text(change, index.column());
        return role == sortRole ? QVariant(number(change, index.row(), index.column())) : QVariant();
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation == Qt::Horizontal && role == Qt::DisplayRole)
            return title(section);
        return orientation == Qt::Horizontal && role == Qt::ToolTipRole ? QVariant(toolTip(section))
                                                                        : QVariant();
    }

    /// With all digits and the sign.
    QString copied(const QModelIndex& index) const {
        const auto& change = changes.at(static_cast<std::size_t>(index.row()));
        switch (index.column()) {
        case ChangeDivergence:
            return QString::number(change.divergence, 'g', 9);
        case ChangeLargest:
            return QString::number(change.largest, 'g', 9);
        case ChangeEntropy:
            return QString::number(change.entropyChange, 'g', 9);
        case ChangeFirstOutside:
            return QString::number(change.firstOutside, 'g', 9);
        case ChangeSecondOutside:
            return QString::number(change.secondOutside, 'g', 9);
        default:
            return text(change, index.column());
        }
    }

  private:
    static QString text(const analysis::HeadChange& change, int column) {
        switch (column) {
        case ChangeHead:
            return QString::fromStdString(trace::toString(change.head));
        case ChangeOther:
            return QString::fromStdString(trace::toString(change.other));
        case ChangeDivergence:
            return preciseText(change.divergence);
        case ChangeLargest:
            return signedNumberText(change.largest);
        case ChangeEntropy:
            return signedNumberText(change.entropyChange);
        case ChangeFirstOutside:
            return preciseText(change.firstOutside);
        case ChangeSecondOutside:
            return preciseText(change.secondOutside);
        default:
            return QString::number(change.rows);
        }
    }
    /// Changes are sorted by their size, heads as they are counted.
    static double number(const analysis::HeadChange& change, int row, int column) {
        switch (column) {
        case ChangeHead:
            return row;
        case ChangeOther: {
            const auto& [site, head] = change.other;
            return (static_cast<int>(site.kind) * 1000 + site.layer) * 1000.0 + head;
        }
        case ChangeDivergence:
            return change.divergence;
        case ChangeLargest:
            return std::abs(change.largest);
        case ChangeEntropy:
            return std::abs(change.entropyChange);
        case ChangeFirstOutside:
            return change.firstOutside;
        case ChangeSecondOutside:
            return change.secondOutside;
        default:
            return static_cast<double>(change.rows);
        }
    }
    static QString title(int column) {
        switch (column) {
        case ChangeHead:
            return tr("Head");
        case ChangeOther:
            return tr("Nearest in B");
        case ChangeDivergence:
            return tr("Divergence");
        case ChangeLargest:
            return tr("Largest change");
        case ChangeEntropy:
            return tr("Entropy change");
        case ChangeFirstOutside:
            return tr("Unmatched in A");
        case ChangeSecondOutside:
            return tr("Unmatched in B");
        default:
            return tr("Rows");
        }
    }
    static QString toolTip(int column) {
        switch (column) {
        case ChangeHead:
            return tr("The head of A");
        case ChangeOther:
            return tr("The head of B with the smallest mean divergence from it");
        case ChangeDivergence:
            return tr("Mean Jensen-Shannon divergence of the aligned rows, base 2, 0 to 1. A row's weight on "
                      "all unmatched keys counts as one key.");
        case ChangeLargest:
            return tr("The cell that changed most: weight in B minus weight in A");
        case ChangeEntropy:
            return tr("Mean change of a row's entropy in bits, over all of its own keys. Above 0: B is more "
                      "spread.");
        case ChangeFirstOutside:
            return tr("Mean weight of A's rows on unmatched keys");
        case ChangeSecondOutside:
            return tr("Mean weight of B's rows on unmatched keys");
        default:
            return tr("Compared pairs of rows, without those with a single allowed key");
        }
    }
};

HeadChangeTable::HeadChangeTable(Selection* selection, QWidget* parent)
    : QTableView(parent), selection_(selection), model_(new Model(this)),
      sorted_(new QSortFilterProxyModel(this)) {
    setAccessibleName(tr("Heads by amount of change"));
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(sortRole);
    setModel(sorted_);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what has no room is left out
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    sortByColumn(ChangeDivergence, Qt::DescendingOrder);
    setSortingEnabled(true);
    connect(selection_, &Selection::headChanged, this, &HeadChangeTable::followHead);
    fit();
}

HeadChangeTable::~HeadChangeTable() = default;

void HeadChangeTable::setChanges(std::vector<analysis::HeadChange> changes, bool nearest) {
    following_ = true;
    model_->set(std::move(changes));
    following_ = false;
    nearest_ = nearest;
    showColumns();
    setAutoScroll(false); // what changed most stays in sight
    followHead();
    setAutoScroll(true);
    scrollToTop();
}

const std::vector<analysis::HeadChange>& HeadChangeTable::changes() const {
    return model_->changes;
}

const analysis::HeadChange& HeadChangeTable::changeAt(int row) const {
    const auto source = sorted_->mapToSource(sorted_->index(row, 0)).row();
    return model_->changes.at(static_cast<std::size_t>(source));
}

QString HeadChangeTable::selectedText() const {
    return widgets::selectedText(
        *this, [this](const QModelIndex& index) { return model_->copied(sorted_->mapToSource(index)); },
        [this](int column) { return !isWanted(column); });
}

void HeadChangeTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(selectedText());
    else
        QTableView::keyPressEvent(event);
}

void HeadChangeTable::followHead() {
    following_ = true;
    const auto found = std::ranges::find(model_->changes, selection_->head(), &analysis::HeadChange::head);
    if (found == model_->changes.end()) {
        clearSelection();
    } else {
        const int row = static_cast<int>(found - model_->changes.begin());
        // Not as a click, which would add to a selection while Ctrl is held.
        selectionModel()->setCurrentIndex(sorted_->mapFromSource(model_->index(row, 0)),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    following_ = false;
}

/// By click or arrow keys, not where the table itself follows.
void HeadChangeTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    const auto rows = selectionModel()->selectedRows();
    if (following_ || rows.size() != 1)
        return;
    selection_->setHead(headAt(rows.front().row()));
    Q_EMIT headChosen();
}

void HeadChangeTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

void HeadChangeTable::fit() {
    const QFontMetrics metrics = fontMetrics();
    verticalHeader()->setDefaultSectionSize(metrics.height() + 6);
    for (int column = 0; column < ChangeColumns; ++column) {
        const QString title = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        int wide = metrics.horizontalAdvance(title) + metrics.height();
        if (column <= ChangeOther)
            wide = std::max(wide, metrics.horizontalAdvance(QStringLiteral("encoder.00.00")));
        setColumnWidth(column, wide + metrics.averageCharWidth());
    }
    showColumns();
}

/// Of runs of the same tokens there is nothing outside.
bool HeadChangeTable::isWanted(int column) const {
    if (column == ChangeOther)
        return nearest_;
    return (column != ChangeFirstOutside && column != ChangeSecondOutside) ||
           std::ranges::any_of(model_->changes, [](const auto& change) {
               return change.firstOutside > 0 || change.secondOutside > 0;
           });
}

/// From left to right as many as there is room for.
void HeadChangeTable::showColumns() {
    int room = viewport()->width();
    for (int column = 0; column < ChangeColumns; ++column) {
        setColumnHidden(column, false); // a hidden one has no width
        const bool fits = isWanted(column) && (column <= ChangeDivergence || columnWidth(column) <= room);
        if (fits)
            room -= columnWidth(column);
        else if (isWanted(column))
            room = 0;
        setColumnHidden(column, !fits);
    }
}

void HeadChangeTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    showColumns();
}

} // namespace headscope::widgets

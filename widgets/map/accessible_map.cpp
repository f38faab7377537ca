#include "widgets/map/accessible_map.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

#include <map>

namespace headscope::widgets {

namespace {

/// A cell. Reads everything from the map, so that it is always up to date.
class CellForReaders : public QAccessibleInterface, public QAccessibleTableCellInterface {
  public:
    CellForReaders(QWidget* widget, const ReadableMap* map, MapCell cell)
        : widget_(widget), map_(map), cell_(cell) {}

    bool isValid() const override {
        return cell_.row < map_->rowCount() && cell_.column < map_->columnCount();
    }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(widget_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? map_->cellInWords(cell_) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        const QRect area = map_->cellArea(cell_);
        return {widget_->mapToGlobal(area.topLeft()), area.size()};
    }
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.readOnly = true;
        state.focusable = true;
        state.focused = widget_->hasFocus() && map_->cursorCell() == cell_;
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this)
                                                       : nullptr;
    }

    bool isSelected() const override { return map_->cursorCell() == cell_; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return cell_.column; }
    int rowIndex() const override { return cell_.row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

  private:
    QWidget* widget_;
    const ReadableMap* map_;
    MapCell cell_;
};

/// The map as a table, whose cells are created on request.
class TableForReaders : public QAccessibleWidget, public QAccessibleTableInterface {
  public:
    TableForReaders(QWidget* widget, const ReadableMap* map)
        : QAccessibleWidget(widget, QAccessible::Table), map_(map) {}
    ~TableForReaders() override {
        for (const auto& [index, id] : cells_)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto known = cells_.find(index);
        if (known != cells_.end())
            return QAccessible::accessibleInterface(known->second);
        auto* cell = new CellForReaders(widget(), map_, {index / columnCount(), index % columnCount()});
        cells_[index] = QAccessible::registerAccessibleInterface(cell);
        return cell;
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* cell = dynamic_cast<const CellForReaders*>(child);
        return cell ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        const auto cell = map_->cellUnder(widget()->mapFromGlobal(QPoint(x, y)));
        return cell ? cellAt(cell->row, cell->column) : nullptr;
    }
    QAccessibleInterface* focusChild() const override {
        const auto cursor = map_->cursorCell();
        return cursor && widget()->hasFocus() ? cellAt(cursor->row, cursor->column) : nullptr;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override {
        const bool exists = row >= 0 && row < rowCount() && column >= 0 && column < columnCount();
        return exists ? child(row * columnCount() + column) : nullptr;
    }
    QString columnDescription(int column) const override { return map_->columnName(column); }
    QString rowDescription(int row) const override { return map_->rowName(row); }
    int columnCount() const override { return map_->columnCount(); }
    int rowCount() const override { return map_->rowCount(); }

    // The only selection is the cursor, which is moved by keys.
    int selectedCellCount() const override { return map_->cursorCell() ? 1 : 0; }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<QAccessibleInterface*> selectedCells() const override {
        const auto cursor = map_->cursorCell();
        return cursor ? QList{cellAt(cursor->row, cursor->column)} : QList<QAccessibleInterface*>();
    }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

  private:
    const ReadableMap* map_;
    mutable std::map<int, QAccessible::Id> cells_; ///< by index in reading order
};

QAccessibleInterface* makeTable(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    const auto* map = dynamic_cast<const ReadableMap*>(object);
    return widget && map ? new TableForReaders(widget, map) : nullptr;
}

} // namespace

std::optional<MapCell> ReadableMap::cellUnder(QPoint point) const {
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (cellArea({row, column}).contains(point))
                return MapCell{row, column};
    return std::nullopt;
}

void installMapAccessibility(QWidget* map) {
    map->setLayoutDirection(Qt::LeftToRight);
    QAccessible::installFactory(makeTable); // repeated ones are ignored
}

void announceCursor(QWidget* widget, const ReadableMap& map) {
    const auto cursor = map.cursorCell();
    if (!cursor || !widget->hasFocus() || !QAccessible::isActive())
        return;
    QAccessibleEvent event(widget, QAccessible::Focus);
    event.setChild(cursor->row * map.columnCount() + cursor->column);
    QAccessible::updateAccessibility(&event);
}

} // namespace headscope::widgets

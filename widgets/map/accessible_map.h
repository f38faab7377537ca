#pragma once

#include <QRect>
#include <QString>

#include "widgets/map/map_layout.h"

#include <optional>

class QWidget;

namespace headscope::widgets {

/// A widget that paints a map, which is a table for screen readers.
class ReadableMap {
  public:
    virtual ~ReadableMap() = default;
    virtual int rowCount() const = 0;
    virtual int columnCount() const = 0;
    virtual QString rowName(int row) const = 0;
    virtual QString columnName(int column) const = 0;
    virtual QString cellInWords(MapCell cell) const = 0;
    /// In the widget's pixels.
    virtual QRect cellArea(MapCell cell) const = 0;
    virtual std::optional<MapCell> cursorCell() const = 0;
    /// Returns the cell at a point in widget pixels. The default tries every cell; override for many cells.
    virtual std::optional<MapCell> cellUnder(QPoint point) const;
};

/// Makes a widget that is a ReadableMap an accessible table, before it is named. Its columns run from left to
/// right in every layout.
void installMapAccessibility(QWidget* map);

/// Notifies screen readers that the cursor has moved.
void announceCursor(QWidget* widget, const ReadableMap& map);

} // namespace headscope::widgets

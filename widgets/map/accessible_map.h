#pragma once

#include <QRect>
#include <QString>

#include "widgets/map/map_layout.h"

#include <optional>

class QWidget;

namespace headscope::widgets {

/// A widget that paints a map. Readers are told of it as of a table, cell by cell.
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
    /// What is there, in the widget's pixels. A map of many cells knows better than to look at each.
    virtual std::optional<MapCell> cellUnder(QPoint point) const;
};

/// Makes every widget that is a ReadableMap an accessible table. Called once or often, all the same.
void teachReadersAboutMaps();

/// Tells readers that the cursor has moved to its cell.
void announceCursor(QWidget* widget, const ReadableMap& map);

} // namespace headscope::widgets

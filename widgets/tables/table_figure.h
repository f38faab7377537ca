#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

#include "widgets/figure_blocks.h"
#include "widgets/tables/table_column.h"

#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A table drawn for a page, with at most as many rows as a page holds. Columns in which no row says anything
/// are omitted. Sizes are in units of 1/96 inch.
struct TableFigure {
    std::vector<TableColumn> columns = {}; ///< prepared, or of texts and tokens
    std::vector<int> rows = {};            ///< in their order; empty: all
    QString heading = {};                  ///< above the table; empty: none
    QString caption = {};                  ///< below the table
    std::optional<int> marked = {};        ///< a row on a ground of its own
    double longestBar = 0;                 ///< the number of a full bar; 0: that of each column
    QFont font = {};
    bool spaceMarks = true;
    FigureParts parts = {};

    static constexpr int usualWidth = 540; ///< of a table with a column of bars

    /// The heading and the rows, which move together if there is less room. Bars are shorter if it is
    /// narrower.
    FigureBlock block() const;
    /// With the caption.
    FigureBlocks blocks() const;
    /// The caption, and the number of rows if not all are drawn.
    QString words() const;
    /// As wide and high as the texts need; a table with a column of bars is about `wide`.
    QSize size(int wide = usualWidth) const;
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    struct Place {
        const TableColumn* column = nullptr;
        double width = 0;
    };
    std::vector<int> drawnRows() const;
    int allRows() const;
    double rowHeight() const;
    QSizeF rowsSize(double wide) const;
    void drawRows(QPainter& painter, const QRectF& area, const Theme& theme) const;
    /// Nothing, or a space and the number of rows.
    QString cutInWords() const;
    /// The columns that say something, as wide as their texts.
    std::vector<Place> places() const;
    /// The same, within `width`.
    std::vector<Place> placesWithin(double width) const;
    void drawCell(QPainter& painter, const QRectF& cell, const TableColumn& column, int row,
                  const Theme& theme) const;
};

} // namespace headscope::widgets

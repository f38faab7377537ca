#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

#include "widgets/figure_blocks.h"
#include "widgets/tables/table_column.h"

#include <functional>
#include <vector>

class QPainter;

namespace headscope::widgets {

struct Theme;

/// A table drawn for a page, with at most as many rows as a page holds. Empty columns are
/// omitted. Sizes are in units of 1/96 inch.
struct TableFigure {
    std::vector<TableColumn> columns = {}; ///< prepared(), unless of texts or tokens
    std::vector<int> rows = {};            ///< in drawing order; empty: all
    QString heading = {};                  ///< above the table; empty: none
    QString caption = {};                  ///< below the table
    std::optional<int> marked = {};        ///< a row with a different background
    double longestBar = 0;                 ///< the number of a full bar; 0: TableColumn::longest
    QFont font = {};
    bool spaceMarks = true;
    FigureParts parts = {};
    std::function<QString(int row)> wordsOfRow = {}; ///< for pages that say them under the pointer

    static constexpr int usualWidth = 540; ///< with a column of bars

    /// Heading and rows. If there is less room, rows are closer and bars are shorter.
    FigureBlock block() const;
    /// Heading, rows and caption.
    FigureBlocks blocks() const;
    /// Returns the caption, with the number of rows if not all are drawn.
    QString words() const;
    /// Returns the size of the texts; with a column of bars the width is about `wide`.
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
    /// Returns a space and the number of rows if not all are drawn.
    QString cutInWords() const;
    /// Returns the widths of the columns that are not empty.
    std::vector<Place> places() const;
    /// Like above, within `width`.
    std::vector<Place> placesWithin(double width) const;
    void drawCell(QPainter& painter, const QRectF& cell, const TableColumn& column, int row,
                  const Theme& theme) const;
};

} // namespace headscope::widgets

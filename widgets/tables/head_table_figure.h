#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

#include "widgets/figure_source.h"

#include <functional>
#include <vector>

class QAbstractItemModel;
class QPainter;

namespace headscope::widgets {

struct Theme;

/// A head table drawn for a page, as it is filtered and sorted, with its rows, as many as a page holds;
/// columns in which no row says anything are left out. Cells that carry a TokenLabel are drawn as tokens.
/// Looks at a table that somebody else keeps alive.
struct HeadTableFigure {
    const QAbstractItemModel& table;
    QString caption;
    QFont font;
    bool spaceMarks = true;
    std::function<bool(int)> isLeftOut = {}; ///< a column that is not drawn; may be empty
    FigureParts parts = {};

    /// The caption, and how many rows there are where not all are drawn.
    QString words() const;
    /// As wide and high as its texts need; in units of 1/96 inch.
    QSize size() const;
    /// Rows move together where `area` is lower than that.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    struct Column {
        int index = 0;
        double width = 0;
    };

    int rows() const;
    double rowHeight() const;
    std::vector<Column> columns() const;
    /// How many rows there are where not all are drawn, after a space.
    QString cutInWords() const;
    /// words(), as far as they are drawn.
    QString drawnWords() const;
    double wordsHeight(double width) const;
};

} // namespace headscope::widgets

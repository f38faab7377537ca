#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>
#include <QString>

class QPainter;

namespace headscope::widgets {

class ImportanceModel;
struct Theme;

/// The list of heads drawn for a page, in the order that is shown: rank, address, signed bar and the
/// numbers. Looks at a model that somebody else keeps alive.
struct ImportanceFigure {
    const ImportanceModel& model;
    QString caption;  ///< empty: none
    double limit = 0; ///< what the longest bar stands for
    QFont font;

    /// As high as its rows need; in units of 1/96 inch.
    QSize size() const;
    /// Rows move together where `area` is lower than that.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    double rowHeight() const;
    /// With the distance to the rows.
    double captionHeight(double width) const;
    bool isShown(int column) const;
    QRectF cell(const QRectF& row, int column) const;
    void drawRow(QPainter& painter, const QRectF& row, int index, const Theme& theme) const;
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
};

} // namespace headscope::widgets

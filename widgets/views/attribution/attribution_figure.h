#pragma once

#include <QFont>
#include <QModelIndex>
#include <QRectF>
#include <QSize>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace headscope::widgets {

class AttributionModel;
struct Theme;

/// Draws the parts of a logit on a page, expanded and sorted as on screen. `model` must outlive the figure.
struct AttributionFigure {
    const AttributionModel& model;
    std::vector<std::pair<QModelIndex, int>> rows; ///< with their depth
    QString sum;                                   ///< text below the rows
    double limit = 0;                              ///< value of a full bar
    QString caption;                               ///< empty: none
    QFont font;

    /// High enough for all rows, in units of 1/96 inch.
    QSize size() const;
    /// Compresses the rows if `area` is lower than size().
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    double rowHeight() const;
    /// Includes the distance to the rows.
    double captionHeight(double width) const;
    QRectF cell(const QRectF& row, int column) const;
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
    void drawRow(QPainter& painter, const QRectF& row, const QModelIndex& index, int depth,
                 const Theme& theme) const;
};

} // namespace headscope::widgets

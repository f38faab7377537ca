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

/// The parts of a logit drawn for a page, as they are unfolded and sorted on the screen. Looks at a model
/// that somebody else keeps alive.
struct AttributionFigure {
    const AttributionModel& model;
    std::vector<std::pair<QModelIndex, int>> rows; ///< with how deep each lies
    QString sum;                                   ///< the line below the rows
    double limit = 0;                              ///< what the longest bar stands for
    QString caption;                               ///< empty: none
    QFont font;

    /// As high as its rows need; in units of 1/96 inch.
    QSize size() const;
    /// Rows move together where `area` is lower than that.
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;

  private:
    double rowHeight() const;
    /// With the distance to the rows.
    double captionHeight(double width) const;
    QRectF cell(const QRectF& row, int column) const;
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
    void drawRow(QPainter& painter, const QRectF& row, const QModelIndex& index, int depth,
                 const Theme& theme) const;
};

} // namespace headscope::widgets

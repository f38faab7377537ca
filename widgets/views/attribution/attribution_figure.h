#pragma once

#include <QFont>
#include <QModelIndex>
#include <QRectF>
#include <QString>

#include "widgets/figure_blocks.h"

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
    QFont font;

    /// Compresses the rows where there is less room.
    FigureBlock block() const;

  private:
    double rowHeight() const;
    QRectF cell(const QRectF& row, int column) const;
    void drawHeader(QPainter& painter, const QRectF& row, const Theme& theme) const;
    void drawRow(QPainter& painter, const QRectF& row, const QModelIndex& index, int depth,
                 const Theme& theme) const;
    void draw(QPainter& painter, const QRectF& area, const Theme& theme) const;
};

} // namespace headscope::widgets

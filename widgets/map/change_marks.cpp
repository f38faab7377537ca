#include "widgets/map/change_marks.h"

#include "model/trace/sublayer_site.h"
#include "widgets/drawing/hatch.h"
#include "widgets/drawing/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

struct MarkOf {
    trace::HeadAddress head;

    HeadMark scaled(bool here, double factor) const {
        return !here ? HeadMark::None : factor == 0 ? HeadMark::Off : HeadMark::Changed;
    }
    HeadMark touched(bool here) const { return here ? HeadMark::Changed : HeadMark::None; }

    HeadMark operator()(const trace::ScaleHead& change) const {
        return scaled(change.head == head, change.factor);
    }
    HeadMark operator()(const trace::ScaleSublayer& change) const {
        return scaled(attentionSite(change.sublayer) == head.site, change.factor);
    }
    HeadMark operator()(const trace::BlockCell& change) const { return touched(change.head == head); }
    HeadMark operator()(const trace::ForceRow& change) const { return touched(change.head == head); }
    HeadMark operator()(const trace::ReplaceHead& change) const { return touched(change.head == head); }
    /// Changes that affect all heads equally mark none of them.
    HeadMark operator()(const auto&) const { return HeadMark::None; }
};

/// Draws lines that are visible on every colour of the scale.
void drawLines(QPainter& painter, const QList<QLineF>& lines, double width, const Theme& theme) {
    painter.setPen(QPen(theme.background, width + 2));
    painter.drawLines(lines);
    painter.setPen(QPen(theme.changed, width));
    painter.drawLines(lines);
}

void crossOut(QPainter& painter, const QRectF& cell, const Theme& theme) {
    const double inset = std::min(3.0, cell.width() / 4);
    const QRectF inner = cell.adjusted(inset, inset, -inset, -inset);
    drawLines(painter,
              {QLineF(inner.topLeft(), inner.bottomRight()), QLineF(inner.bottomLeft(), inner.topRight())},
              1.5, theme);
}

} // namespace

HeadMark headMark(const std::vector<trace::Intervention>& interventions, const trace::HeadAddress& head) {
    HeadMark mark = HeadMark::None;
    for (const auto& change : effective(interventions))
        mark = std::max(mark, std::visit(MarkOf{head}, change));
    return mark;
}

QString markInWords(HeadMark mark) {
    switch (mark) {
    case HeadMark::Off:
        return QChar(' ') + QCoreApplication::translate("ChangeMarks", "Its output is switched off.");
    case HeadMark::Changed:
        return QChar(' ') + QCoreApplication::translate("ChangeMarks", "This head was changed: see What if.");
    case HeadMark::None:
        break;
    }
    return {};
}

ChangedCells changedCells(const std::vector<trace::Intervention>& interventions,
                          const trace::HeadAddress& head, int rows, int columns) {
    ChangedCells cells;
    for (const auto& change : effective(interventions)) {
        if (const auto* cell = std::get_if<trace::BlockCell>(&change); cell && cell->head == head &&
                                                                       std::cmp_less(cell->query, rows) &&
                                                                       std::cmp_less(cell->key, columns))
            cells.blocked.push_back({static_cast<int>(cell->query), static_cast<int>(cell->key)});
        if (const auto* row = std::get_if<trace::ForceRow>(&change);
            row && row->head == head && std::cmp_less(row->query, rows))
            cells.forcedRows.push_back(row->query);
    }
    return cells;
}

void drawMapMark(QPainter& painter, const QRectF& plot, HeadMark mark, const Theme& theme) {
    constexpr double apart = 18; // three times as wide as what masks
    if (mark == HeadMark::None)
        return;
    if (mark == HeadMark::Off) {
        QColor pale = theme.changed; // the colours below stay readable
        pale.setAlphaF(theme.dark ? 0.7F : 0.4F);
        drawStripes(painter, plot, pale, apart);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.changed, 2));
    painter.drawRect(plot.adjusted(-1, -1, 1, 1));
}

void drawHeadMark(QPainter& painter, const QRectF& picture, HeadMark mark, const Theme& theme) {
    if (mark == HeadMark::None)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.changed, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(picture);
    if (mark == HeadMark::Off) {
        drawLines(painter, {QLineF(picture.bottomLeft(), picture.topRight())}, 3, theme);
    } else {
        const double side = std::clamp(picture.width() / 4, 6.0, 14.0);
        const QPointF corner = picture.topRight();
        painter.setPen(QPen(theme.background, 1));
        painter.setBrush(theme.changed);
        painter.drawPolygon(QPolygonF({corner, corner - QPointF(side, 0), corner + QPointF(0, side)}));
    }
    painter.restore();
}

void drawChangedCells(QPainter& painter, const MapLayout& layout, const ChangedCells& cells,
                      const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const int row : cells.forcedRows) {
        if (!layout.showsRow(row))
            continue;
        const QRectF band = layout.rowRect(row).adjusted(1, 1, -1, -1);
        painter.setPen(QPen(theme.background, 3));
        painter.drawRect(band);
        painter.setPen(QPen(theme.text, 1.5, Qt::DashLine));
        painter.drawRect(band);
    }
    for (const auto& [row, column] : cells.blocked)
        if (layout.showsRow(row) && layout.showsColumn(column))
            crossOut(painter, layout.cellRect(row, column) & layout.plot(), theme);
    painter.restore();
}

} // namespace headscope::widgets

#include "widgets/point_plot.h"

#include "widgets/plain_text.h"
#include "widgets/plot_frame.h"
#include "widgets/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::widgets {

namespace {

QRectF insideOf(const QRectF& area) {
    return area.adjusted(4, 0, 0, -4);
}

PlotFrame frameOf(const Points& points, const QFont& font, const QRectF& area) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, points.values.size()));
    return {{.least = -0.5, .most = count - 0.5, .title = points.xTitle, .whole = true},
            decadesAround(points.values, points.yTitle),
            font,
            area};
}

} // namespace

PointPlot::PointPlot(const QString& name, QWidget* parent) : QWidget(parent) {
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
}

void PointPlot::setPoints(Points points) {
    points_ = std::move(points);
    setPointCursor(std::nullopt);
    update();
}

void PointPlot::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    painter.save();
    painter.translate(area.topLeft());
    const PlotFrame axes = frameOf(points_, font(), insideOf(QRectF(QPointF(), area.size())));
    axes.draw(painter, theme);
    const double apart =
        axes.plot().width() / static_cast<double>(std::max<std::size_t>(1, points_.values.size()));
    const double radius = std::clamp(apart * 0.5, 1.5, 4.0);
    const QColor colour = categoryColours(theme).front();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.2));
    for (std::size_t i = 0; i < points_.values.size(); ++i) {
        if (!(points_.values[i] > 0) || !std::isfinite(points_.values[i]))
            continue;
        const bool hollow = !points_.hollow.empty() && points_.hollow[i];
        painter.setBrush(hollow ? theme.background : colour);
        painter.drawEllipse(QPointF(axes.x(static_cast<double>(i)), axes.y(points_.values[i])), radius,
                            radius);
    }
    painter.restore();
}

void PointPlot::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.background);
    draw(painter, QRectF(rect()), theme);
    if (cursor_) {
        const PlotFrame axes = frameOf(points_, font(), insideOf(QRectF(rect())));
        const double value = points_.values[static_cast<std::size_t>(*cursor_)];
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.focus, 1));
        painter.setBrush(Qt::NoBrush);
        const double at = axes.x(*cursor_);
        painter.drawLine(QPointF(at, axes.plot().top()), QPointF(at, axes.plot().bottom()));
        if (value > 0 && std::isfinite(value)) {
            painter.setPen(QPen(theme.focus, 2));
            painter.drawEllipse(QPointF(at, axes.y(value)), 6, 6);
        }
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void PointPlot::setPointCursor(std::optional<int> index) {
    if (index && (*index < 0 || *index >= static_cast<int>(points_.values.size())))
        index = std::nullopt;
    if (index == cursor_)
        return;
    cursor_ = index;
    const QString words = index && points_.describe ? points_.describe(*index) : QString();
    describeForReaders(this, words);
    update();
    // What the cursor lights in other views describes itself there: the mark's own words come last.
    Q_EMIT cursorMoved(index);
    Q_EMIT pointDescribed(words);
}

void PointPlot::mouseMoveEvent(QMouseEvent* event) {
    const PlotFrame axes = frameOf(points_, font(), insideOf(QRectF(rect())));
    const bool inside = axes.plot().adjusted(-4, -8, 4, 8).contains(event->position());
    setPointCursor(inside ? std::optional(static_cast<int>(std::lround(axes.valueAt(event->position().x()))))
                          : std::nullopt);
}

void PointPlot::leaveEvent(QEvent*) {
    setPointCursor(std::nullopt);
}

void PointPlot::focusOutEvent(QFocusEvent* event) {
    setPointCursor(std::nullopt);
    QWidget::focusOutEvent(event);
}

void PointPlot::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(points_.values.size()) - 1;
    const int at = cursor_.value_or(event->key() == Qt::Key_Left ? last + 1 : -1);
    if (last < 0)
        return event->ignore();
    switch (event->key()) {
    case Qt::Key_Left:
        return setPointCursor(std::max(0, at - 1));
    case Qt::Key_Right:
        return setPointCursor(std::min(last, at + 1));
    case Qt::Key_Home:
        return setPointCursor(0);
    case Qt::Key_End:
        return setPointCursor(last);
    case Qt::Key_Escape:
        return setPointCursor(std::nullopt);
    default:
        event->ignore();
    }
}

} // namespace headscope::widgets

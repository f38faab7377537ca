#include "widgets/views/positions/position_curves.h"

#include "widgets/drawing/recorded_drawing.h"
#include "widgets/drawing/theme.h"
#include "widgets/views/positions/drawn_curves.h"
#include "widgets/words/captions.h"
#include "widgets/words/plain_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace headscope::widgets {

struct PositionCurves::Plot : DrawnCurves {
    QCustomPlot* widget = nullptr;
    QCPItemStraightLine* line = nullptr; ///< at the position under the pointer, else at the highlighted one
    std::optional<int> pointed;
    std::optional<int> lit;
    std::optional<QPointF> pressedAt;
    QCPRange acrossAll, upAll;  ///< unzoomed ranges
    std::vector<double> wanted; ///< zoom requested before there were curves

    std::optional<int> shown() const;
};

std::optional<int> PositionCurves::Plot::shown() const {
    const auto position = pointed ? pointed : lit;
    const bool exists = position && values && *position >= 0 && *position < static_cast<int>(values->rows());
    return exists ? position : std::nullopt;
}

PositionCurves::PositionCurves(QWidget* parent)
    : QWidget(parent), plot_(std::make_unique<Plot>()), values_(new QLabel(this)) {
    auto* plot = new QCustomPlot(this);
    plot_->widget = plot;
    plot->setAccessibleName(tr("Curves of positional dimensions"));
    plot->setFocusPolicy(Qt::StrongFocus);
    plot->setAttribute(Qt::WA_NoMousePropagation, false); // opens the context menu of the view
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->legend->setVisible(true);
    // Above the plot, where it hides no curve.
    plot->plotLayout()->insertRow(0);
    plot->plotLayout()->addElement(0, 0, plot->legend);
    plot->plotLayout()->setRowStretchFactor(0, 0.001);
    plot_->line = new QCPItemStraightLine(plot);
    plot_->line->setVisible(false);
    plot->installEventFilter(this);
    values_->setTextFormat(Qt::PlainText);
    values_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plot, 1);
    column->addWidget(values_);
    setFocusProxy(plot);
    showLine();
}

PositionCurves::~PositionCurves() = default;

void PositionCurves::show(const PositionTable& table, const std::vector<int>& dimensions, int positions) {
    plot_->values = table.all;
    plot_->byDistance = table.byDistance;
    plot_->isScore = table.isScore;
    plot_->first = table.first;
    plot_->dimensions = dimensions;
    if (!table.all || dimensions.empty())
        return;
    const std::vector<double> seen = zoom();
    const QCPRange acrossBefore = plot_->acrossAll, upBefore = plot_->upAll;
    const bool isFirst = plot_->widget->graphCount() == 0;
    plot_->fill(*plot_->widget, table, positions);
    plot_->acrossAll = plot_->widget->xAxis->range();
    plot_->upAll = plot_->widget->yAxis->range();
    if (isFirst || (plot_->acrossAll == acrossBefore && plot_->upAll == upBefore))
        setZoom(seen);
    plot_->dress(*plot_->widget, themeOf(palette()), plot_->widget->width());
    showLine();
    plot_->widget->replot(QCustomPlot::rpQueuedReplot);
}

bool PositionCurves::isZoomed() const {
    return plot_->widget->xAxis->range() != plot_->acrossAll || plot_->widget->yAxis->range() != plot_->upAll;
}

std::vector<double> PositionCurves::zoom() const {
    if (plot_->widget->graphCount() == 0)
        return plot_->wanted;
    const QCPRange across = plot_->widget->xAxis->range(), up = plot_->widget->yAxis->range();
    return isZoomed() ? std::vector{across.lower, across.upper, up.lower, up.upper} : std::vector<double>();
}

void PositionCurves::setZoom(const std::vector<double>& ends) {
    plot_->wanted = ends;
    const bool isPart = ends.size() == 4 && ends[0] < ends[1] && ends[2] < ends[3];
    plot_->widget->xAxis->setRange(isPart ? QCPRange(ends[0], ends[1]) : plot_->acrossAll);
    plot_->widget->yAxis->setRange(isPart ? QCPRange(ends[2], ends[3]) : plot_->upAll);
    plot_->widget->replot(QCustomPlot::rpQueuedReplot);
}

QString PositionCurves::partInWords() const {
    const QCPRange across = plot_->widget->xAxis->range(), up = plot_->widget->yAxis->range();
    if (!plot_->values || !isZoomed())
        return {};
    const auto first = std::ceil(std::max(across.lower, plot_->acrossAll.lower + 1));
    const auto last = std::floor(std::min(across.upper, plot_->acrossAll.upper - 1));
    const QString part = plot_->byDistance ? tr("Visible: distances %1 to %2, values %3 to %4.")
                                           : tr("Visible: positions %1 to %2, values %3 to %4.");
    return part.arg(first).arg(last).arg(numberText(up.lower), numberText(up.upper));
}

/// QCustomPlot only draws on its own painter class: record its output and replay it on `painter`.
void PositionCurves::draw(QPainter& painter, const QRectF& area, const Theme& theme) const {
    if (!plot_->values)
        return;
    plot_->dress(*plot_->widget, theme, area.width());
    const bool lineShown = plot_->line->visible();
    plot_->line->setVisible(false);
    const auto recording = std::make_shared<RecordedDrawing>(
        drawsPixels(painter) ? RecordedDrawing::Target::Pixels : RecordedDrawing::Target::Document);
    QCPPainter recorder(recording.get());
    recorder.setMode(QCPPainter::pmVectorized);
    plot_->widget->toPainter(&recorder, static_cast<int>(area.width()), static_cast<int>(area.height()));
    recorder.end();
    plot_->dress(*plot_->widget, themeOf(palette()), plot_->widget->width());
    plot_->line->setVisible(lineShown);
    plot_->widget->replot(QCustomPlot::rpQueuedReplot);
    drawLater(painter, [recording, at = area.topLeft()](QPainter& onto) {
        onto.translate(at);
        recording->drawOn(onto);
    });
}

void PositionCurves::setLit(std::optional<int> position) {
    if (position == plot_->lit)
        return;
    plot_->lit = position;
    showLine();
}

void PositionCurves::hover(std::optional<double> place) {
    const auto nearest =
        place ? std::optional(static_cast<int>(std::lround(*place)) - plot_->first) : std::nullopt;
    if (nearest == plot_->pointed)
        return;
    plot_->pointed = nearest;
    showLine();
    Q_EMIT positionHovered(plot_->pointed);
}

void PositionCurves::showLine() {
    const auto position = plot_->shown();
    QStringList words;
    if (position) {
        const int place = plot_->first + *position;
        words += plot_->byDistance ? tr("Distance %1:").arg(place) : tr("Position %1:").arg(place);
        for (const int dimension : plot_->dimensions)
            words += tr("%1 = %2").arg(plot_->curveName(dimension),
                                       numberText((*plot_->values)(static_cast<std::size_t>(*position),
                                                                   static_cast<std::size_t>(dimension))));
        plot_->line->point1->setCoords(place, 0);
        plot_->line->point2->setCoords(place, 1);
        plot_->line->setPen(QPen(themeOf(palette()).focus, 1));
    }
    const QString line = position ? words.join(QStringLiteral("  "))
                                  : tr("Hover the curves or use the arrow keys to read values. Click: pin. "
                                       "Drag, wheel: pan, zoom.");
    // Always one line, so that the plot does not jump while the pointer moves.
    values_->setText(values_->fontMetrics().elidedText(line, Qt::ElideRight, std::max(200, width())));
    values_->setToolTip(plainToolTip(
        position ? line : line + QChar('\n') + tr("Double-click the curves to show all of them.")));
    describeForReaders(plot_->widget, line);
    plot_->line->setVisible(position.has_value());
    plot_->widget->replot(QCustomPlot::rpQueuedReplot);
}

void PositionCurves::resizeEvent(QResizeEvent*) {
    plot_->wrapLegend(*plot_->widget, plot_->widget->width());
    showLine();
}

bool PositionCurves::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_->widget)
        return QWidget::eventFilter(watched, event);
    const auto place = [&] { return static_cast<QMouseEvent*>(event)->position(); };
    switch (event->type()) {
    case QEvent::MouseMove:
        hover(plot_->widget->xAxis->pixelToCoord(place().x()));
        break;
    case QEvent::Leave:
        hover(std::nullopt);
        break;
    case QEvent::MouseButtonPress:
        if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
            plot_->pressedAt = place();
        break;
    case QEvent::MouseButtonRelease:
        released(place());
        break;
    case QEvent::MouseButtonDblClick:
        // The first click of a double click pinned a position; the coming release unpins it.
        plot_->pressedAt = place();
        setZoom({});
        break;
    case QEvent::KeyPress:
        return keyPressed(static_cast<QKeyEvent*>(event)->key());
    default:
        break;
    }
    return false;
}

void PositionCurves::released(QPointF place) {
    const auto from = std::exchange(plot_->pressedAt, std::nullopt);
    const bool clicked = from && (place - *from).manhattanLength() < QApplication::startDragDistance();
    if (clicked && plot_->pointed)
        Q_EMIT positionClicked(*plot_->pointed);
}

/// Returns true if the key was handled.
bool PositionCurves::keyPressed(int key) {
    const int last = plot_->values ? static_cast<int>(plot_->values->rows()) - 1 : 0;
    const int at = plot_->shown().value_or(-1);
    if (key == Qt::Key_Left || key == Qt::Key_Right)
        hover(std::clamp(at + (key == Qt::Key_Right ? 1 : -1), 0, last));
    else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && plot_->pointed)
        Q_EMIT positionClicked(*plot_->pointed);
    else
        return false;
    return true;
}

void PositionCurves::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && plot_->values) {
        plot_->widget->setFont(font());
        plot_->dress(*plot_->widget, themeOf(palette()), plot_->widget->width());
        plot_->widget->replot(QCustomPlot::rpQueuedReplot);
    }
}

} // namespace headscope::widgets

#include "widgets/controls/step_axis.h"

#include <QEvent>
#include <QWheelEvent>

#include <algorithm>

namespace headscope::widgets {

StepAxis::StepAxis(QWidget* widget, Selection* selection) : widget_(widget), selection_(selection) {
    connect(selection, &Selection::firstColumnChanged, widget, qOverload<>(&QWidget::update));
    connect(selection, &Selection::stepChanged, this, &StepAxis::follow);
    widget->installEventFilter(this);
}

void StepAxis::setColumns(StepColumns columns, std::size_t prompt) {
    columns_ = std::move(columns);
    prompt_ = prompt;
    columnOfStep_.reset();
    follow();
}

void StepAxis::setColumns(StepColumns columns, std::vector<std::size_t> columnOfStep) {
    columns_ = std::move(columns);
    prompt_ = 0;
    columnOfStep_ = std::move(columnOfStep);
    follow();
}

/// The current step stays in sight where there is less room.
bool StepAxis::eventFilter(QObject* widget, QEvent* event) {
    const bool isDone = QObject::eventFilter(widget, event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        follow();
    return isDone;
}

std::optional<std::size_t> StepAxis::current() const {
    const std::size_t step = selection_->step();
    if (columnOfStep_)
        return columnOfStep_->empty()
                   ? std::nullopt
                   : std::optional(columnOfStep_->at(std::min(step, columnOfStep_->size() - 1)));
    return step >= prompt_ && step - prompt_ < columns_.count() ? std::optional(step - prompt_)
                                                                : std::nullopt;
}

StepColumns StepAxis::fitted() const {
    return columns_.within(widget_->width());
}

std::size_t StepAxis::first() const {
    const std::size_t last = fitted().lastFirst(widget_->width());
    return std::min<std::size_t>(std::max(0, selection_->firstColumn()), last);
}

StepColumns StepAxis::shown() const {
    StepColumns moved = fitted();
    if (moved.count() > 0)
        for (const double by = moved.lefts[first()] - moved.lefts.front(); double& left : moved.lefts)
            left -= by;
    return moved;
}

std::optional<std::size_t> StepAxis::columnAt(QPointF position) const {
    return position.x() < columns_.gutter ? std::nullopt : shown().at(position.x());
}

bool StepAxis::scroll(const QWheelEvent& event) {
    const int last = fitted().lastFirst(widget_->width());
    const int before = first();
    const QPoint turned = event.angleDelta();
    const int by = std::abs(turned.x()) > std::abs(turned.y()) ? turned.x() : turned.y();
    if (last == 0 || by == 0)
        return false;
    selection_->setFirstColumn(std::clamp(before + (by < 0 ? 3 : -3), 0, last));
    return true;
}

/// Brings the current step into sight.
void StepAxis::follow() {
    if (const auto column = current(); column && widget_->isVisible()) {
        const StepColumns columns = fitted();
        std::size_t now = std::min(first(), *column);
        while (now < *column && now + columns.fitting(now, widget_->width()) <= *column)
            ++now;
        selection_->setFirstColumn(now);
    }
    widget_->update();
}

} // namespace headscope::widgets

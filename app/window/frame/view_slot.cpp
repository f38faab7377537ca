#include "app/window/frame/view_slot.h"

#include "widgets/controls/roomy_area.h"
#include "widgets/view.h"

#include <QVBoxLayout>

namespace headscope::app {

ViewSlot::ViewSlot(widgets::View* view, Room room, QWidget* parent)
    : QWidget(parent), view_(view), room_(room),
      area_(room == Room::Scrolls ? new widgets::RoomyArea(nullptr, this) : nullptr) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    if (area_)
        column->addWidget(area_);
}

void ViewSlot::take() {
    for (QWidget* around = view_->parentWidget(); around; around = around->parentWidget())
        if (auto* slot = qobject_cast<ViewSlot*>(around)) {
            if (slot == this)
                return;
            slot->leave();
            break;
        }
    if (area_)
        area_->setWidget(view_);
    else
        layout()->addWidget(view_);
    view_->setCard(room_ == Room::Card);
    view_->show();
}

void ViewSlot::leave() {
    if (area_)
        area_->takeWidget();
    else
        layout()->removeWidget(view_);
}

} // namespace headscope::app

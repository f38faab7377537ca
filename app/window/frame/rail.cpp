#include "app/window/frame/rail.h"

#include "app/window/frame/window_width.h"
#include "widgets/drawing/icons.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/drawing/window_style.h"
#include "widgets/views/places.h"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::app {

namespace {

constexpr int wide = 56, narrow = 40; ///< least widths, in pixels
constexpr QSize side(20, 20);         ///< of an icon

} // namespace

Rail::Rail(const Actions& actions, QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Workspaces"));
    setBackgroundRole(QPalette::Midlight);
    setAutoFillBackground(true);
    widgets::setTextRole(this, widgets::TextRole::Caption);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, widgets::space::xs, 0, widgets::space::xs);
    column->setSpacing(widgets::space::xs);
    column->addWidget(add(actions[ActionId::Home], "home"));
    for (const auto& workspace : widgets::workspaces())
        column->addWidget(add(actions[workspaceAction(workspace.key)], workspace.key));
    actions[ActionId::Train]->setIconText(tr("Train"));
    column->addWidget(add(actions[ActionId::Train], "train"));
    column->addStretch();
    column->addWidget(add(actions[ActionId::Learn], "learn"));
}

QToolButton* Rail::add(QAction* action, const std::string& icon) {
    action->setIcon(widgets::icon(icon));
    action->setIconVisibleInMenu(false);
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAccessibleName(action->iconText());
    button->setIconSize(side);
    widgets::setLook(button, widgets::ButtonLook::Rail);
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    buttons_.push_back(button);
    return button;
}

void Rail::follow() {
    const bool isWide = widthOfWindow(this) == WindowWidth::Wide;
    for (auto* button : buttons_)
        button->setToolButtonStyle(isWide ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly);
    setMinimumWidth(isWide ? wide : narrow);
}

} // namespace headscope::app

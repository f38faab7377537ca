#include "app/window/frame/rail.h"

#include "widgets/views/places.h"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::app {

Rail::Rail(const Actions& actions, QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Workspaces"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 8, 4, 8);
    column->setSpacing(4);
    column->addWidget(add(actions[ActionId::Home]));
    for (const auto& workspace : widgets::workspaces())
        column->addWidget(add(actions[workspaceAction(workspace.key)]));
    actions[ActionId::Train]->setIconText(tr("Train"));
    column->addWidget(add(actions[ActionId::Train]));
    column->addStretch();
    actions[ActionId::Manual]->setIconText(tr("Learn"));
    column->addWidget(add(actions[ActionId::Manual]));
}

QToolButton* Rail::add(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAccessibleName(action->iconText());
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return button;
}

} // namespace headscope::app

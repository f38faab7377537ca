#include "app/window/frame/rail.h"

#include "widgets/views/places.h"

#include <QAction>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

Rail::Rail(QAction* train, QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    setAccessibleName(tr("Workspaces"));
    column_->setContentsMargins(4, 8, 4, 8);
    column_->setSpacing(4);
    auto* group = new QButtonGroup(this);
    for (const auto& workspace : widgets::workspaces()) {
        auto* button = add(QCoreApplication::translate("Workspace", workspace.title));
        button->setCheckable(true);
        button->setToolTip(QCoreApplication::translate("Workspace", workspace.question));
        group->addButton(button);
        buttons_[workspace.key] = button;
        connect(button, &QToolButton::clicked, this, [this, key = workspace.key] { Q_EMIT chosen(key); });
    }
    auto* training = add(tr("Train"));
    training->setToolTip(train->toolTip());
    connect(training, &QToolButton::clicked, train, &QAction::trigger);
    column_->addStretch();
}

QToolButton* Rail::add(const QString& title) {
    auto* button = new QToolButton(this);
    button->setText(title);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column_->addWidget(button);
    return button;
}

void Rail::setCurrent(const std::string& workspace) {
    buttons_.at(workspace)->setChecked(true);
}

void Rail::setTitle(const std::string& workspace, const QString& title) {
    buttons_.at(workspace)->setText(title);
}

void Rail::setWhyNot(const std::string& workspace, const QString& whyNot) {
    auto* button = buttons_.at(workspace);
    button->setEnabled(whyNot.isEmpty());
    const auto& all = widgets::workspaces();
    const auto found = std::ranges::find(all, workspace, &widgets::Workspace::key);
    const QString question = QCoreApplication::translate("Workspace", found->question);
    button->setToolTip(whyNot.isEmpty() ? question : QStringLiteral("%1\n%2").arg(question, whyNot));
}

} // namespace headscope::app

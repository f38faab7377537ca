#include "app/window/frame/home_page.h"

#include "app/window/top/model_button.h"
#include "widgets/controls/flow_layout.h"

#include <QAction>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>

namespace headscope::app {

HomePage::HomePage(const Settings& settings, const Actions& actions, QWidget* parent)
    : QWidget(parent), settings_(settings), bundled_(newList(tr("Bundled models"))),
      recent_(newList(tr("Recent models and recordings"))) {
    setAccessibleName(tr("Home"));
    auto* title = new QLabel(tr("Headscope"), this);
    QFont large = font();
    large.setPointSizeF(2 * large.pointSizeF());
    large.setBold(true);
    title->setFont(large);
    auto* buttons = new QWidget(this);
    auto* flow = new widgets::FlowLayout(buttons);
    for (const auto id : {ActionId::OpenFolder, ActionId::OpenFile, ActionId::OpenSession, ActionId::Train}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(actions[id]);
        button->setFocusPolicy(Qt::TabFocus);
        flow->addWidget(button);
    }
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(24, 24, 24, 24);
    grid->setSpacing(12);
    grid->addWidget(title, 0, 0, 1, 2);
    grid->addWidget(buttons, 1, 0, 1, 2);
    for (int column = 0; auto* list : {bundled_, recent_}) {
        auto* heading = new QLabel(list->accessibleName(), this);
        heading->setWordWrap(true);
        heading->setBuddy(list);
        grid->addWidget(heading, 2, column);
        grid->addWidget(list, 3, column++);
    }
}

QListWidget* HomePage::newList(const QString& name) {
    auto* list = new QListWidget(this);
    list->setAccessibleName(name);
    list->setTextElideMode(Qt::ElideMiddle);
    const auto open = [this](const QListWidgetItem* item) {
        Q_EMIT chosen(item->data(Qt::UserRole).toString());
    };
    connect(list, &QListWidget::itemClicked, this, open);
    connect(list, &QListWidget::itemActivated, this, open); // Enter
    return list;
}

void HomePage::showEvent(QShowEvent* event) {
    fill();
    QWidget::showEvent(event);
}

void HomePage::fill() {
    bundled_->clear();
    recent_->clear();
    for (const auto& model : offeredModels(settings_)) {
        auto* item = new QListWidgetItem(model.shown, model.isRecent ? recent_ : bundled_);
        item->setData(Qt::UserRole, model.pathOrName);
        item->setToolTip(model.pathOrName);
        if (!model.exists)
            item->setFlags(Qt::NoItemFlags);
    }
    if (recent_->count() == 0)
        (new QListWidgetItem(tr("None yet."), recent_))->setFlags(Qt::NoItemFlags);
    for (auto* list : {bundled_, recent_})
        list->setCurrentRow(0);
}

} // namespace headscope::app

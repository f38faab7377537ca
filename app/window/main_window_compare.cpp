// The tab of the comparison.
#include "app/results/compare_answers.h"
#include "app/window/docks/branch_docks.h"
#include "app/window/docks/dock_tabs.h"
#include "app/window/main_window.h"
#include "app/window/views_button.h"
#include "widgets/views/compare/compare_view.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace headscope::app {

void MainWindow::buildCompare() {
    compare_ = new widgets::CompareView(selection_, this);
    tabs_->addTab(compare_, tr("Compare"));
    new ViewsButton(tabs_);
    compareAnswers_ = new CompareAnswers(
        queue_, controller_, whatIf_, [this](const QString& path) { return settings_.answers(path); },
        selection_, compare_, [this](const trace::Run& run) { return branches_->names(run); }, this);
}

void MainWindow::connectCompare() {
    connect(compare_->bar()->modelMenu(), &QMenu::aboutToShow, this, &MainWindow::fillOtherModelMenu);
    connect((*actions_)[ActionId::ViewCompare], &QAction::triggered, this, [this] {
        tabs_->setCurrentWidget(compare_);
        compare_->focusMaps();
    });
    connect(tabs_, &QTabWidget::currentChanged, this, &MainWindow::followCompare);
    for (auto* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isVisible) {
            if (isVisible) // by a person: it stays as it is left
                std::erase(aside_, dock->objectName().toStdString());
        });
    connect((*actions_)[ActionId::CompareBranches], &QAction::triggered, this, [this] {
        tabs_->setCurrentWidget(compare_);
        compare_->bar()->setWith(widgets::CompareBar::With::Branch);
        compare_->bar()->startChoosing();
    });
    connect(branches_, &BranchDocks::compareRequested, this, [this](int branch) {
        tabs_->setCurrentWidget(compare_);
        compare_->bar()->setWith(widgets::CompareBar::With::Branch);
        compare_->bar()->setBranch(branch);
    });
    connect((*actions_)[ActionId::Stop], &QAction::triggered, compareAnswers_, &CompareAnswers::stop);
}

/// Two maps and their difference need the width of the window: panels at the sides make room for as long as
/// the comparison is on top.
void MainWindow::followCompare() {
    if (tabs_->currentWidget() != compare_)
        return showPanelsAside();
    auto docks = findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
    docks.removeIf([this](const QDockWidget* dock) {
        const auto area = dockWidgetArea(const_cast<QDockWidget*>(dock));
        const bool isAtSide = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
        return !isAtSide || dock->isFloating() || dock->isHidden();
    });
    // Those on top last, as they are raised in this order.
    std::ranges::stable_partition(docks, [](const QDockWidget* dock) { return !isInSight(*dock); });
    for (auto* dock : docks) {
        aside_.push_back(dock->objectName().toStdString());
        dock->hide();
    }
}

void MainWindow::showPanelsAside() {
    for (const auto& name : std::exchange(aside_, {}))
        if (auto* dock = findChild<QDockWidget*>(QString::fromStdString(name), Qt::FindDirectChildrenOnly)) {
            dock->show();
            dock->raise();
        }
}

void MainWindow::compareWith(const QString& pathOrName) {
    compareAnswers_->openOther(pathOrName);
}

void MainWindow::fillOtherModelMenu() {
    QMenu* menu = compare_->bar()->modelMenu();
    const auto open = [this](const QString& pathOrName) { compareWith(pathOrName); };
    fillModelMenu(menu, open);
    for (const bool folder : {true, false})
        connect(menu->addAction(folder ? tr("Open a Folder...") : tr("Open a File...")), &QAction::triggered,
                this, [this, folder, open] {
                    if (const QString path = chosenModel(folder); !path.isEmpty())
                        open(path);
                });
    QAction* close = menu->addAction(tr("Close the Second Model"));
    close->setEnabled(compareAnswers_->otherModel() != nullptr);
    close->setToolTip(close->isEnabled() ? tr("Its memory is given back") : tr("No second model is open."));
    connect(close, &QAction::triggered, compareAnswers_, &CompareAnswers::closeOther);
}

} // namespace headscope::app

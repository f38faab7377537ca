#include "app/window/compare_controller.h"

#include "app/desktop/dock_tabs.h"
#include "app/results/compare_answers.h"
#include "app/window/tabs.h"
#include "app/window/top/model_button.h"
#include "widgets/controls/view_choices.h"
#include "widgets/views/compare/compare_view.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headscope::app {

CompareController::CompareController(QMainWindow* window, Document* document, Results* results,
                                     Settings* settings, Tabs* tabs, const Actions& actions)
    : QObject(window), window_(window), settings_(settings), tabs_(tabs),
      view_(tabs->find<widgets::CompareView>()),
      answers_(new CompareAnswers(
          document->queue(), document->controller(), results,
          [settings](const QString& path) { return settings->answers(path); }, document->selection(), view_,
          [document](const trace::Run& run) { return document->branchNames(run); }, this)) {
    connect(view_->bar()->modelMenu(), &QMenu::aboutToShow, this, &CompareController::fillModelMenu);
    connect(tabs, &QTabWidget::currentChanged, this, &CompareController::followTab);
    for (auto* dock : docks())
        connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isVisible) {
            if (isVisible) // opened by the user: not hidden or restored any more
                std::erase(aside_, dock->objectName().toStdString());
        });
    connect(actions[ActionId::Stop], &QAction::triggered, answers_, &CompareAnswers::stop);
}

void CompareController::addChoices(widgets::ViewChoices& choices) {
    answers_->addChoices(choices);
    choices.add(
        "window", "panels-aside", [this] { return widgets::ChoiceValue(aside_); },
        [this](const auto& value) { aside_ = std::get<std::vector<std::string>>(value); });
}

QList<QDockWidget*> CompareController::docks() const {
    return window_->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
}

void CompareController::openOther(const QString& pathOrName) {
    answers_->openOther(pathOrName);
}

void CompareController::compareBranch(int branch) {
    tabs_->setCurrentWidget(view_);
    view_->bar()->setWith(widgets::CompareBar::With::Branch);
    view_->bar()->setBranch(branch);
}

/// Two maps and their difference need the full width: side panels are hidden while the comparison is on top.
void CompareController::followTab() {
    if (tabs_->currentWidget() != view_)
        return showPanelsAside();
    auto atSides = docks();
    atSides.removeIf([this](QDockWidget* dock) {
        const auto area = window_->dockWidgetArea(dock);
        const bool isAtSide = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
        return !isAtSide || dock->isFloating() || dock->isHidden();
    });
    // Visible tabs last, as panels are raised in this order when restored.
    std::ranges::stable_partition(atSides, [](const QDockWidget* dock) { return !isInSight(*dock); });
    for (auto* dock : atSides) {
        aside_.push_back(dock->objectName().toStdString());
        dock->hide();
    }
}

void CompareController::showPanelsAside() {
    for (const auto& name : std::exchange(aside_, {}))
        if (auto* dock =
                window_->findChild<QDockWidget*>(QString::fromStdString(name), Qt::FindDirectChildrenOnly)) {
            dock->show();
            dock->raise();
        }
}

void CompareController::fillModelMenu() {
    QMenu* menu = view_->bar()->modelMenu();
    app::fillModelMenu(menu, *settings_, [this](const QString& pathOrName) { openOther(pathOrName); });
    for (const bool folder : {true, false})
        connect(menu->addAction(folder ? tr("Open a Folder...") : tr("Open a File...")), &QAction::triggered,
                this, [this, folder] {
                    if (const QString path = chosenModel(window_, folder); !path.isEmpty())
                        openOther(path);
                });
    QAction* close = menu->addAction(tr("Close the Second Model"));
    close->setEnabled(answers_->otherModel() != nullptr);
    close->setToolTip(close->isEnabled() ? tr("Free its memory") : tr("No second model is open."));
    connect(close, &QAction::triggered, answers_, &CompareAnswers::closeOther);
}

} // namespace headscope::app

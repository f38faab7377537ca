#pragma once

#include <QObject>

#include "app/results/results.h"
#include "app/window/actions.h"
#include "app/window/settings.h"

#include <string>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::widgets {
class CompareView;
}

namespace headscope::app {

class BranchDocks;
class CompareAnswers;
class Tabs;

/// The tab of the comparison: joined to what makes B, to the menu of a second model, and to the panels, which
/// make room for it.
class CompareController : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this; the window has its panels.
    CompareController(QMainWindow* window, Document* document, Settings* settings, Tabs* tabs,
                      BranchDocks* branches, const Actions& actions);

    CompareAnswers* answers() const { return answers_; }
    /// Panels at the sides that are closed as long as the comparison is on top, by their objects' names.
    const std::vector<std::string>& panelsAside() const { return aside_; }
    void setPanelsAside(std::vector<std::string> names) { aside_ = std::move(names); }

  public Q_SLOTS:
    void openOther(const QString& pathOrName);
    void showPanelsAside();

  private:
    void compareBranches();
    void followTab();
    void fillModelMenu();
    QList<QDockWidget*> docks() const;

    QMainWindow* window_;
    Settings* settings_;
    Tabs* tabs_;
    widgets::CompareView* view_;
    CompareAnswers* answers_;
    std::vector<std::string> aside_;
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/desktop/settings.h"
#include "app/document/document.h"

#include <string>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::widgets {
class CompareView;
}

namespace headscope::app {

class CompareAnswers;
class Results;
class Tabs;

/// Connects the comparison tab with its computations, the menu of the second model, and the side panels,
/// which it hides to make room.
class CompareController : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this; the window must already have its panels.
    CompareController(QMainWindow* window, Document* document, Results* results, Settings* settings,
                      Tabs* tabs, const Actions& actions);

    CompareAnswers* answers() const { return answers_; }
    /// Names of the side panels that are hidden while the comparison is on top.
    const std::vector<std::string>& panelsAside() const { return aside_; }
    void setPanelsAside(std::vector<std::string> names) { aside_ = std::move(names); }

  public Q_SLOTS:
    void openOther(const QString& pathOrName);
    /// Opens the comparison with a branch, counted from 0.
    void compareBranch(int branch);
    void showPanelsAside();

  private:
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

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
class ViewChoices;
} // namespace headscope::widgets

namespace headscope::app {

class CompareAnswers;
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
    /// Forgets which side panels are hidden while the comparison is on top.
    void leavePanelsAside() { aside_.clear(); }
    /// Binds the second model, and the names of the panels.
    void addChoices(widgets::ViewChoices& choices);

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
    std::vector<std::string> aside_; ///< names of the side panels that are hidden while it is on top
};

} // namespace headscope::app

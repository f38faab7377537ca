#pragma once

#include <QObject>

#include <string>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::widgets {
class ViewChoices;
}

namespace headscope::app {

class Tabs;

/// Hides the panels at the sides of a window while a tab is on top that wants their width.
class SidePanels : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this; the window must already have its panels.
    SidePanels(QMainWindow* window, Tabs* tabs);

    /// Forgets which panels are hidden.
    void leaveAside() { aside_.clear(); }
    /// Binds the names of those that are hidden now.
    void addChoices(widgets::ViewChoices& choices);
    void showAside();

  private:
    void followTab();
    QList<QDockWidget*> docks() const;

    QMainWindow* window_;
    Tabs* tabs_;
    std::vector<std::string> aside_;
};

} // namespace headscope::app

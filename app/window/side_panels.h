#pragma once

#include <QObject>

#include <string>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::app {

class Tabs;

/// Hides the panels at the sides of a window while a tab is on top that wants their width.
class SidePanels : public QObject {
    Q_OBJECT

  public:
    /// Both must outlive this; the window must already have its panels.
    SidePanels(QMainWindow* window, Tabs* tabs);

    /// Names of those that are hidden now.
    const std::vector<std::string>& aside() const { return aside_; }
    void setAside(std::vector<std::string> names) { aside_ = std::move(names); }
    void showAside();

  private:
    void followTab();
    QList<QDockWidget*> docks() const;

    QMainWindow* window_;
    Tabs* tabs_;
    std::vector<std::string> aside_;
};

} // namespace headscope::app

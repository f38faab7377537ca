#pragma once

#include <QObject>

#include "app/document/document.h"
#include "app/window/actions.h"

namespace headscope::widgets {
class Overview;
}

namespace headscope::app {

class HeadBar;
class Panels;
class Results;
class ShownStatistics;
class Tabs;

/// From head to head: the actions that go to one or pin it, the views that show all of them, and what these
/// know of each.
class HeadActions : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this.
    HeadActions(Document* document, Results* results, Tabs* tabs, Panels* panels, HeadBar* bar,
                Actions* actions, QObject* parent);

  Q_SIGNALS:
    /// Why something was not done.
    void said(const QString& words);

  private:
    void connectActions();
    void connectViews();
    void followHead();
    void followPins();
    void followNeed();
    /// What the selected head does, and how many others of its kind do the same.
    void showRole();
    /// Its name; empty where it has none, or it is not known.
    QString roleOf(const trace::HeadAddress& head) const;
    void showInTab();

    Document* document_;
    ShownStatistics* statistics_;
    Tabs* tabs_;
    Panels* panels_;
    HeadBar* bar_;
    Actions* actions_;
    widgets::Overview* overview_;
};

} // namespace headscope::app

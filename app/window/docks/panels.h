#pragma once

#include <QMainWindow>
#include <QObject>

#include "app/desktop/actions.h"

#include <map>
#include <string>
#include <vector>

class QDockWidget;

namespace headscope::widgets {
struct Place;
class Selection;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class Document;

/// The panels around the views; all of them are in the menu of panels.
class Panels : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this; the panels belong to the window.
    Panels(QMainWindow* window, Document* document, Actions* actions);

    const std::vector<widgets::View*>& views() const { return views_; }
    /// Views that are exported if the keyboard focus is in their panel.
    std::vector<QWidget*> pictures() const;
    /// The view at the left, by which heads are selected; null if there is none.
    widgets::View* left() const;
    /// The view whose spec has this key, and its panel; null if there is none.
    widgets::View* view(const std::string& key) const;
    QDockWidget* dock(const std::string& key) const;
    /// Gives panels their titles for the open model, and withholds those of what it lacks.
    void follow(const widgets::DocumentState& document);

  public Q_SLOTS:
    /// Opens the panel of a view on top of the others, and gives it the keys.
    void open(const std::string& key);
    void open(const headscope::widgets::View* view);
    /// Opens the panel of a view that nobody asked for: behind the panel that has the keys.
    void openBehind(const headscope::widgets::View* view);
    /// Gives the panel of a view the height that the view needs, or the height that it had before.
    void makeRoom(const headscope::widgets::View* view, bool on);
    void setRun(const std::shared_ptr<const headscope::trace::Run>& run);

  private:
    void add(QDockWidget* dock, const std::string& name, Qt::DockWidgetArea area);
    /// Makes the panel of a view, and of those beside it.
    void addOwn(const widgets::Place& place, widgets::Selection* selection);
    widgets::View* makeView(const widgets::Place& place, widgets::Selection* selection);
    void resizeOpen();

    QMainWindow* window_;
    Actions* actions_;
    std::vector<widgets::View*> views_;
    std::map<std::string, widgets::View*> byKey_;
};

} // namespace headscope::app

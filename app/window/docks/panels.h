#pragma once

#include <QMainWindow>
#include <QObject>

#include "app/desktop/actions.h"
#include "app/results/results.h"

#include <string>
#include <vector>

class QDockWidget;

namespace headscope::widgets {
class CandidatesView;
struct Place;
class Selection;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class Document;
class HeadTableDock;

/// The panels around the views; all of them are in the menu of panels.
class Panels : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this; the panels belong to the window.
    Panels(QMainWindow* window, Document* document, Results* results, Actions* actions);

    /// The grid of head thumbnails.
    widgets::View* grid() const { return grid_; }
    widgets::CandidatesView* candidates() const { return candidates_; }
    HeadTableDock* headTable() const { return headTable_; }
    /// Views that follow the shown run by themselves.
    const std::vector<widgets::View*>& views() const { return views_; }
    /// Views that need nothing beyond the View interface.
    const std::vector<widgets::View*>& ownViews() const { return ownViews_; }
    /// The view of a class. There is one of each.
    template <class View>
    View* find() const {
        return window_->findChild<View*>();
    }
    /// Views that are exported if the keyboard focus is in their panel.
    std::vector<QWidget*> pictures() const;

  public Q_SLOTS:
    /// Opens the panel of a view on top of the others, and gives it the keys.
    void open(const std::string& key);
    /// Opens the panel of a view that nobody asked for: behind the panel that has the keys.
    void openBehind(const headscope::widgets::View* view);
    /// Gives the panel of a view the height that the view needs, or the height that it had before.
    void makeRoom(const headscope::widgets::View* view, bool on);
    void setRun(const std::shared_ptr<const headscope::trace::Run>& run);

  private:
    void add(QDockWidget* dock, const char* name, Qt::DockWidgetArea area);
    QDockWidget* wrap(const char* name, const QString& title, QWidget* view, Qt::DockWidgetArea area);
    /// Makes the panels of views that nobody made yet, and lists all in the menu.
    void addOwn(widgets::Selection* selection);
    void addOwn(const widgets::Place& place, widgets::Selection* selection);
    /// Open as long as the action is checked.
    void followTwin(Document* document);
    void connectOpening(Document* document, Results* results);
    void followMeasuring(Document* document);
    QDockWidget* dock(const std::string& key) const;
    void layOnOpen(QDockWidget* closed);
    void resizeOpen();

    QMainWindow* window_;
    Actions* actions_;
    widgets::View* grid_;
    widgets::CandidatesView* candidates_;
    HeadTableDock* headTable_;
    std::weak_ptr<const trace::Run> trace_; ///< whose heads were asked for
    std::vector<widgets::View*> views_;
    std::vector<widgets::View*> ownViews_;
};

} // namespace headscope::app

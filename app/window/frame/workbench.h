#pragma once

#include <QByteArrayList>
#include <QWidget>

#include "app/desktop/actions.h"
#include "app/window/frame/workspace_page.h"
#include "widgets/view.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

class QStackedWidget;

namespace headscope::app {

class HeadBar;
class Rail;

/// The views of the window in its workspaces, one of which is seen, and the rail that chooses it.
class Workbench : public QWidget {
    Q_OBJECT

  public:
    /// `tokens` stand above all workspaces, `head` above the canvas of the view that shows a head; `home` is
    /// seen in place of both. Other objects must outlive this.
    Workbench(widgets::Selection* selection, Actions* actions, QWidget* tokens, HeadBar* head, QWidget* home,
              QWidget* parent);
    /// Adds a page that, as Home, is seen in place of tokens and workspaces, by its action.
    void addPage(ActionId action, QWidget* page);

    /// Creates the pages that were not shown yet. Called after the first paint, so that the window appears
    /// sooner, and before a model is opened.
    void makeRest();
    /// Those that are made, all of them after makeRest().
    const std::vector<widgets::View*>& views() const { return views_; }
    /// The view whose spec has this key, which is made if it is not there yet; null if it has no place in a
    /// workspace.
    widgets::View* view(const std::string& key);
    std::string keyOf(const widgets::View* view) const;
    /// The view that shows a head: the first one if no view does.
    std::string headView() const;
    /// The one on the canvas of the workspace that is seen.
    widgets::View* front() const;
    std::string frontKey() const;
    const std::string& workspace() const { return workspace_; }
    bool isInSight(const std::string& view) const;
    /// Its workspace is seen, and it is neither closed nor behind another.
    bool isOpen(const std::string& view) const;
    /// True if an open view shows the tokens of the output itself.
    bool showsTarget() const;
    /// Hides what the open model lacks.
    void follow(const widgets::DocumentState& document);
    /// Brings the view to the front that opens with the model, or where it opens at a head shows that.
    void openWith(const widgets::DocumentState& document);
    /// Shows a view in the seen workspace if it stands there, else in its first one.
    void show(const std::string& view);
    /// Opens a page of the drawer that nobody asked for, unless the keys are in another page.
    void openBehind(const std::string& view);
    void close(const std::string& view);
    /// Closes a view with the keys in it; false if there are none.
    bool closesByItsKey(const std::string& view);
    void setWorkspace(const std::string& workspace);
    /// Home, or a page that was added.
    void showPage(ActionId action);
    bool showsPage() const { return where().page.has_value(); }
    /// Home, while no model can be shown.
    void showNoModel();

    /// Which workspace is seen, and for each its view on the canvas, its open page of the drawer and its
    /// folded cards: a line each.
    std::vector<std::string> words() const;
    void set(const std::vector<std::string>& words);
    /// words() and the sizes of all parts, kept between starts of the program.
    QByteArray layout() const;
    void setLayout(const QByteArray& layout);
    /// As at the first start.
    void reset();

  public Q_SLOTS:
    /// Shows a view and gives it the keyboard focus if it takes keys; otherwise the window gets the focus, so
    /// that the arrow keys step and exports apply to this view.
    void open(const std::string& view);

  Q_SIGNALS:
    /// A view that was needed first. It is not shown yet.
    void made(headscope::widgets::View* view);
    /// Another view is in front, or something was opened or closed.
    void changed();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Where {
        std::optional<ActionId> page; ///< nothing: a workspace
        std::string workspace = {};
        std::string front = {}; ///< the view on its canvas; empty: it has cards
        friend bool operator==(const Where&, const Where&) = default;
    };
    widgets::View* found(const std::string& key) const; ///< null if it is not made
    /// Makes it with its views where it is not there yet.
    WorkspacePage* page(const std::string& workspace);
    void restore(const std::string& workspace);
    Where where() const;
    void noteWhere();
    void goBack();
    void addMenu();
    void connectActions();
    /// Panel, cards and drawer are hidden while the canvas is maximised.
    void leaveMaximised(const std::string& view);
    /// Gives the keys to the next or the previous part of the window.
    void moveRegion(int by);

    widgets::Selection* selection_;
    Actions* actions_;
    QWidget* tokens_;
    HeadBar* head_;
    Rail* rail_;
    QStackedWidget* stack_;
    std::map<ActionId, QWidget*> ofActions_; ///< pages that are no workspaces
    std::vector<widgets::View*> views_;
    std::map<std::string, widgets::View*> byKey_;
    std::map<std::string, WorkspacePage*> pages_; ///< those that are made
    QByteArrayList kept_;                         ///< lines of layout(), for pages that are made later
    std::map<std::string, QAction*> toggles_;     ///< of drawer and inspector, for the menu
    std::string workspace_;
    Where where_;
    std::vector<Where> before_; ///< the last one last
};

} // namespace headscope::app

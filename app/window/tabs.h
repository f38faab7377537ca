#pragma once

#include <QTabWidget>

#include "app/desktop/actions.h"
#include "widgets/view.h"

#include <set>
#include <string>
#include <vector>

namespace headscope::widgets {
class Selection;
}

namespace headscope::app {

/// The views in the middle of the window, one tab each in the order of places.def; each view has an action
/// that opens it.
class Tabs : public QTabWidget {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    Tabs(widgets::Selection* selection, const Actions& actions, QWidget* parent);

    /// In the order of the tabs.
    const std::vector<widgets::View*>& views() const { return views_; }
    /// Returns the view whose spec has this key; null if there is none.
    widgets::View* view(const std::string& key) const;
    const std::vector<std::string>& keys() const { return keys_; }
    /// The view on top wants the width of the panels at the sides.
    bool isWide() const { return wide_.contains(currentWidget()); }
    bool isOnTop(const std::string& key) const { return currentWidget() == view(key); }
    /// Hides tabs that have no meaning for the open model.
    void follow(const widgets::DocumentState& document);
    /// Brings the view to the front that opens with the model, or where it opens at a head shows that.
    void openWith(const widgets::DocumentState& document);
    /// The view of the selected head.
    widgets::View* headView() const;

  public Q_SLOTS:
    /// Brings a view to the front and gives it the keyboard focus if it takes keys; otherwise the window gets
    /// the focus, so that the arrow keys step and exports apply to this view.
    void open(headscope::widgets::View* view);

  private:
    std::vector<widgets::View*> views_;
    std::vector<std::string> keys_; ///< of views_
    std::set<const QWidget*> wide_;
};

} // namespace headscope::app

#pragma once

#include <QTabWidget>

#include "app/window/actions.h"
#include "widgets/view.h"

#include <string>
#include <vector>

namespace headscope::widgets {
class Selection;
}

namespace headscope::app {

/// The views in the middle of the window, a tab each, as the catalogue lists them; each is opened by an
/// action.
class Tabs : public QTabWidget {
    Q_OBJECT

  public:
    /// All of them outlive this.
    Tabs(widgets::Selection* selection, const Actions& actions, QWidget* parent);

    /// In the order of the tabs.
    const std::vector<widgets::View*>& views() const { return views_; }
    /// The one of a class, of which there is one.
    template <class View>
    View* find() const {
        return findChild<View*>();
    }
    /// By its spec's key.
    widgets::View* view(const std::string& key) const;
    std::vector<std::string> keys() const;
    bool isOnTop(const std::string& key) const { return currentWidget() == view(key); }
    /// A tab that means nothing for the model that is open is not there.
    void setShown(const std::string& key, bool shown);

  public Q_SLOTS:
    /// On top, and the keyboard is its own where it takes it; else keys step, and what is saved and copied is
    /// this view.
    void open(const std::string& key);

  private:
    std::vector<widgets::View*> views_;
};

} // namespace headscope::app

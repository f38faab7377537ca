#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"

class QMainWindow;

namespace headscope::app {

class ModelButton;
class Workbench;

/// Provides the search with all actions, views, models, changes to the model, and heads by number.
class WindowSearch : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    WindowSearch(QMainWindow* window, Document* document, ModelButton* models, Workbench* workbench,
                 const Actions& actions);

  public Q_SLOTS:
    void open();

  private:
    /// What views offer to do with what is selected.
    std::vector<QAction*> offers() const;
    std::vector<QAction*> views();
    std::vector<QAction*> models() const;
    /// Returns the action for words such as "#2.5": goes to head 5 of layer 2 of the shown kind. Null if the
    /// words name no head.
    QAction* headAction(const QString& words);

    QMainWindow* window_;
    Document* document_;
    ModelButton* models_;
    Workbench* workbench_;
    const Actions& actions_;
    std::map<std::string, QAction*> shows_; ///< views in workspaces
    QAction* goToHead_;                     ///< the head that was typed last
};

} // namespace headscope::app

#pragma once

#include <QObject>

#include "app/document/document.h"
#include "app/window/actions.h"

class QMainWindow;

namespace headscope::app {

class ModelButton;
class WhatIfDock;

/// What the search finds: every action of the table, panels, models, changes of the model, and heads by their
/// numbers.
class WindowSearch : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this.
    WindowSearch(QMainWindow* window, Document* document, ModelButton* models, WhatIfDock* whatIf,
                 const Actions& actions);

  public Q_SLOTS:
    void open();

  private:
    std::vector<QAction*> panels() const;
    std::vector<QAction*> models() const;
    /// "#2.5": goes to head 5 of layer 2, of the kind shown. Null where the words are no head.
    QAction* headAction(const QString& words);

    QMainWindow* window_;
    Document* document_;
    ModelButton* models_;
    WhatIfDock* whatIf_;
    const Actions& actions_;
    QAction* goToHead_; ///< that was typed last
};

} // namespace headscope::app

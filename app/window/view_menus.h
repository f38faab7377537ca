#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"

class QMenu;

namespace headscope::widgets {
struct PointedAt;
}

namespace headscope::app {

class FigureExporter;
class Panels;
class Tabs;

/// Context menus of views: actions for the cell or head under the pointer, then export and copy actions for
/// that view.
class ViewMenus : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    ViewMenus(Document* document, Tabs* tabs, Panels* panels, FigureExporter* exporter, Actions* actions,
              QWidget* window);

    /// Adds a context menu to `view`, a widgets::FigureSource.
    void offer(QWidget* view);

  private:
    /// Returns the view with the keyboard focus in a visible panel, also a floating one; otherwise the
    /// current tab.
    QWidget* viewOnTop() const;
    void fill(QMenu& menu, QWidget* view, QPoint position);
    /// What can be done with a head or a cell, here and in every view.
    void add(QMenu& menu, const widgets::PointedAt& pointed);

    Document* document_;
    Tabs* tabs_;
    Panels* panels_;
    FigureExporter* exporter_;
    Actions* actions_;
    QWidget* window_;
};

} // namespace headscope::app

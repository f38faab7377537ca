#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/document.h"

class QMenu;

namespace headscope::widgets {
struct PointedAt;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class FigureExporter;
class Workbench;

/// Context menus of views: actions for the cell or head under the pointer, then export and copy actions for
/// that view.
class ViewMenus : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    ViewMenus(Document* document, Workbench* workbench, FigureExporter* exporter, Actions* actions,
              QWidget* window);

    /// Adds a context menu to a view, and to each map in it.
    void offer(widgets::View* view);
    /// Opens the menu of a token of the output, or of a mask.
    void openOfToken(int step, QPoint position);

  private:
    /// The view with the keyboard focus, unless heads are selected by it for the canvas; else that on the
    /// canvas.
    QWidget* viewOnTop() const;
    /// Adds the context menu to one widget, which is a widgets::FigureSource.
    void offerOn(QWidget* view);
    void fill(QMenu& menu, QWidget* view, QPoint position);
    /// What can be done with a head or a cell, here and in every view.
    void add(QMenu& menu, const widgets::PointedAt& pointed);
    /// What can be done with the token of a step.
    void addOfToken(QMenu& menu, int step);

    Document* document_;
    Workbench* workbench_;
    FigureExporter* exporter_;
    Actions* actions_;
    QWidget* window_;
};

} // namespace headscope::app

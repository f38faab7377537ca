#pragma once

#include <QObject>

#include "app/document/document.h"
#include "app/window/actions.h"

class QMenu;

namespace headscope::widgets {
class HeatmapView;
}

namespace headscope::app {

class FigureExporter;
class Panels;
class Tabs;

/// A view's own menu begins with what can be done to the cell or head under the pointer, and ends with saving
/// and copying that view, whichever is on top.
class ViewMenus : public QObject {
    Q_OBJECT

  public:
    /// All of them outlive this.
    ViewMenus(Document* document, Tabs* tabs, Panels* panels, FigureExporter* exporter, Actions* actions,
              QWidget* window);

    /// From now on `view`, a widgets::FigureSource, has one.
    void offer(QWidget* view);

  private:
    /// What has the focus in a panel that is seen, also in one that is a window of its own, else the tab on
    /// top.
    QWidget* viewOnTop() const;
    void fill(QMenu& menu, QWidget* view, QPoint position);
    void addCell(QMenu& menu, const widgets::HeatmapView& map, QPoint position);
    void addHead(QMenu& menu, const trace::HeadAddress& head);
    void addPinning(QMenu& menu, const trace::HeadAddress& head);
    void saveLayer(const trace::HeadAddress& head);

    Document* document_;
    Tabs* tabs_;
    Panels* panels_;
    FigureExporter* exporter_;
    Actions* actions_;
    QWidget* window_;
};

} // namespace headscope::app

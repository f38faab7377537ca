#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/results/result_parts.h"

#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::widgets {
class CandidatesView;
class View;
} // namespace headscope::widgets

namespace headscope::app {

class ArithmeticDock;
class BranchDocks;
class HeadTableDock;
class HeadTints;
class ImportanceDock;
class LensDock;
class RandomTwinDock;
class WhatIfDock;

/// The panels around the views; all of them are in the menu of panels.
class Panels : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this; the panels belong to the window.
    Panels(QMainWindow* window, Document* document, ResultParts* results, Actions* actions);

    /// The grid of head thumbnails.
    QWidget* grid() const { return grid_; }
    widgets::CandidatesView* candidates() const { return candidates_; }
    WhatIfDock* whatIf() const { return whatIf_; }
    ImportanceDock* importance() const { return importance_; }
    BranchDocks* branches() const { return branches_; }
    RandomTwinDock* twin() const { return twin_; }
    LensDock* lens() const { return lens_; }
    ArithmeticDock* arithmetic() const { return arithmetic_; }
    HeadTableDock* headTable() const { return headTable_; }
    HeadTints* tints() const { return tints_; }
    /// Views that follow the shown run by themselves.
    const std::vector<widgets::View*>& views() const { return views_; }
    /// Views that need nothing beyond the View interface (PANEL in widgets/views/catalogue.def).
    const std::vector<widgets::View*>& ownViews() const { return ownViews_; }
    /// Views that are exported if the keyboard focus is in their panel.
    std::vector<QWidget*> pictures() const;

  public Q_SLOTS:
    void setRun(const std::shared_ptr<const headscope::trace::Run>& run);
    void setSpaceMarksShown(bool shown);

  private:
    void add(QDockWidget* dock, const char* name, Qt::DockWidgetArea area);
    QDockWidget* wrap(const char* name, const QString& title, QWidget* view, Qt::DockWidgetArea area);
    void addOwn(widgets::Selection* selection);

    QMainWindow* window_;
    Actions* actions_;
    QWidget* grid_;
    widgets::CandidatesView* candidates_;
    WhatIfDock* whatIf_;
    ImportanceDock* importance_;
    BranchDocks* branches_;
    RandomTwinDock* twin_;
    LensDock* lens_;
    ArithmeticDock* arithmetic_;
    HeadTableDock* headTable_;
    HeadTints* tints_;
    std::vector<widgets::View*> views_;
    std::vector<widgets::View*> ownViews_;
};

} // namespace headscope::app

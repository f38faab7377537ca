#pragma once

#include <QDockWidget>

#include "app/document/decode_controller.h"
#include "app/document/what_if.h"
#include "app/results/analyses.h"
#include "app/results/twin_analyses.h"
#include "app/window/actions.h"
#include "model/analysis/heads/head_ranking.h"
#include "widgets/selection.h"

namespace headscope::widgets {
class ImportanceView;
}

namespace headscope::app {

/// What every head is worth, in its dock: joined to the analyses and to the actions. Opens when it is
/// measured.
class ImportanceDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All of them outlive the dock.
    ImportanceDock(Analyses* analyses, DecodeController* controller, widgets::Selection* selection,
                   Actions* actions, QWidget* parent);

    widgets::ImportanceView* view() const { return view_; }
    /// What is double clicked is switched off or on there.
    void switchHeadsIn(WhatIf* whatIf);
    /// In a column of its own, as long as there is a twin.
    void showTwin(TwinAnalyses* twin);

    /// By what is chosen in the view, the largest first, and what that is of.
    const std::vector<analysis::HeadScore>& scores() const;
    QString caption() const;

  Q_SIGNALS:
    /// The chosen scores or their caption changed.
    void scoresChanged();
    void headOpened(headscope::trace::HeadAddress head);

  public Q_SLOTS:
    /// Opens the dock and measures.
    void measure();

  private:
    void connectView();
    void followRun();
    void showMeasured();
    void followAction();

    Analyses* analyses_;
    DecodeController* controller_;
    Actions* actions_;
    widgets::ImportanceView* view_;
    std::shared_ptr<const trace::Run> shown_; ///< in the view
};

} // namespace headscope::app

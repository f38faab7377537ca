#pragma once

#include <QDockWidget>

#include "app/desktop/actions.h"
#include "app/document/decode_controller.h"
#include "app/document/what_if.h"
#include "app/results/analyses.h"
#include "app/results/twin_analyses.h"
#include "model/analysis/heads/head_ranking.h"
#include "widgets/selection.h"

namespace headscope::widgets {
class ImportanceView;
}

namespace headscope::app {

/// The dock with the importance of every head, connected to the analyses and actions. Opens when importance
/// is measured.
class ImportanceDock : public QDockWidget {
    Q_OBJECT

  public:
    /// All objects must outlive the dock.
    ImportanceDock(Analyses* analyses, DecodeController* controller, widgets::Selection* selection,
                   Actions* actions, QWidget* parent);

    widgets::ImportanceView* view() const { return view_; }
    /// From now on a double click on a head switches it off or on in `whatIf`.
    void switchHeadsIn(WhatIf* whatIf);
    /// Shows the twin's importance in its own column while there is a twin.
    void showTwin(TwinAnalyses* twin);

    /// Scores chosen in the view, the largest first, and their caption.
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

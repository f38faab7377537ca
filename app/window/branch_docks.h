#pragma once

#include <QObject>

#include "app/window/actions.h"
#include "app/window/branch_names.h"
#include "app/window/decode_controller.h"
#include "widgets/selection.h"

#include <memory>
#include <utility>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::widgets {
class BeamTreeView;
class BranchComparison;
class BranchList;
class ReferenceView;
} // namespace headscope::widgets

namespace headscope::app {

/// The panels below the views: branches, their comparison, the beam tree, the reference. Closed until there
/// is something to show in them.
class BranchDocks : public QObject {
    Q_OBJECT

  public:
    /// All that is given outlives this.
    BranchDocks(QMainWindow* window, RunQueue* queue, DecodeController* controller,
                widgets::Selection* selection, const Actions& actions);

    void setRun(std::shared_ptr<const trace::Run> run);
    void setSpaceMarksShown(bool shown);
    /// Views that can be saved as pictures.
    std::vector<QWidget*> pictures() const;

  Q_SIGNALS:
    /// What the pointer is on in one of the panels; empty for nothing.
    void cellDescribed(const QString& words);
    /// A target was typed that cannot be fed.
    void refused(const headscope::trace::RefusalText& text);

  private:
    QDockWidget* addDock(QMainWindow* window, const char* name, const QString& title, QWidget* view,
                         const Actions& actions);
    void connectViews();
    void raise(QDockWidget* dock);
    void open(QDockWidget* dock, bool wasClosed);
    void openOnce(QDockWidget* dock, bool& opened);
    void showBranches();
    void showComparison();
    void showReference();
    void compareWith(int row);
    void force(const QString& text);
    void goToReferenceStep(int step);
    std::optional<std::size_t> referencePath() const;

    RunQueue* queue_;
    DecodeController* controller_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    BranchNames names_;
    std::pair<std::size_t, std::size_t> compared_{0, 1};
    bool branchesOpened_ = false;
    bool treeOpened_ = false;

    widgets::BranchList* list_;
    widgets::BranchComparison* comparison_;
    widgets::BeamTreeView* tree_;
    widgets::ReferenceView* reference_;
    QDockWidget* listDock_ = nullptr;
    QDockWidget* comparisonDock_ = nullptr;
    QDockWidget* treeDock_ = nullptr;
    QDockWidget* referenceDock_ = nullptr;
};

} // namespace headscope::app

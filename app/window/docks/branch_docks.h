#pragma once

#include <QObject>

#include "app/document/branch_names.h"
#include "app/document/decode_controller.h"
#include "app/window/actions.h"
#include "widgets/selection.h"

#include <memory>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace headscope::widgets {
class BeamTreeView;
class BranchList;
class ReferenceView;
} // namespace headscope::widgets

namespace headscope::app {

/// The panels below the views: branches, the beam tree, the reference. Closed until there
/// is something to show in them.
class BranchDocks : public QObject {
    Q_OBJECT

  public:
    /// All that is given outlives this.
    BranchDocks(QMainWindow* window, DecodeController* controller, widgets::Selection* selection,
                const Actions& actions);

    void setRun(std::shared_ptr<const trace::Run> run);
    void setSpaceMarksShown(bool shown);
    /// Of a run's branches, in order.
    QStringList names(const trace::Run& run) { return names_.names(run); }
    /// As a person named them, in the same order, empty where nobody did; none where no branch has a name.
    QStringList givenNames();
    void giveNames(const QStringList& names);
    /// Views that can be saved as pictures.
    std::vector<QWidget*> pictures() const;

  Q_SIGNALS:
    /// What the pointer is on in one of the panels; empty for nothing.
    void cellDescribed(const QString& words);
    /// The branch, from 0, is to be compared.
    void compareRequested(int branch);
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
    void showReference();
    void force(const QString& text);
    bool refuses(trace::DecodeTree::NodeId node);
    void showNode(trace::DecodeTree::NodeId node);
    void showPath(std::size_t path, std::optional<int> step = std::nullopt);
    void goToReferenceStep(int step);
    std::optional<std::size_t> shownReference() const;

    DecodeController* controller_;
    widgets::Selection* selection_;
    std::shared_ptr<const trace::Run> run_;
    BranchNames names_;
    bool branchesOpened_ = false;
    bool treeOpened_ = false;

    widgets::BranchList* list_;
    widgets::BeamTreeView* tree_;
    widgets::ReferenceView* reference_;
    QDockWidget* listDock_ = nullptr;
    QDockWidget* treeDock_ = nullptr;
    QDockWidget* referenceDock_ = nullptr;
};

} // namespace headscope::app

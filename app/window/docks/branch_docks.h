#pragma once

#include <QObject>

#include "app/desktop/actions.h"
#include "app/document/branch_names.h"
#include "app/document/decode_controller.h"
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

/// The panels at the bottom for branches, beam tree and reference. They stay closed until they have content.
class BranchDocks : public QObject {
    Q_OBJECT

  public:
    /// All objects must outlive this.
    BranchDocks(QMainWindow* window, DecodeController* controller, widgets::Selection* selection,
                const Actions& actions);

    void setRun(std::shared_ptr<const trace::Run> run);
    void setSpaceMarksShown(bool shown);
    /// Names of a run's branches, in order.
    QStringList names(const trace::Run& run) { return names_.names(run); }
    /// Names given by the user, in the same order; empty for other branches. An empty list if no branch was
    /// named.
    QStringList givenNames();
    void giveNames(const QStringList& names);
    /// Views that can be exported as pictures.
    std::vector<QWidget*> pictures() const;

  Q_SIGNALS:
    /// Description of the item under the pointer; empty if there is none.
    void cellDescribed(const QString& words);
    /// `branch` counts from 0.
    void compareRequested(int branch);
    /// The typed target cannot be fed to the decoder, or the requested path has no recorded maps.
    void refused(const headscope::trace::RefusalText& text);

  private:
    QDockWidget* addDock(QMainWindow* window, const char* name, const QString& title, QWidget* view);
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

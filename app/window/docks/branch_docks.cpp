#include "app/window/docks/branch_docks.h"

#include "app/desktop/dock_tabs.h"
#include "app/document/run_branches.h"
#include "model/trace/run_path.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/views/beam_tree/beam_tree_view.h"
#include "widgets/views/branches/branch_list.h"
#include "widgets/views/reference/reference_view.h"
#include "widgets/words/captions.h"
#include "widgets/words/typed_source.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

constexpr int listHeight = 260;

} // namespace

BranchDocks::BranchDocks(QMainWindow* window, DecodeController* controller, widgets::Selection* selection,
                         const Actions& actions)
    : QObject(window), controller_(controller), selection_(selection), list_(new widgets::BranchList(window)),
      tree_(new widgets::BeamTreeView(window)), reference_(new widgets::ReferenceView(window)) {
    listDock_ = addDock(window, "branches", tr("Branches"), list_);
    treeDock_ = addDock(window, "beam-tree", tr("Beam tree"), tree_);
    referenceDock_ = addDock(window, "reference", tr("Reference"), reference_);
    for (QDockWidget* dock : {listDock_, treeDock_, referenceDock_})
        dock->hide();
    window->resizeDocks({listDock_}, {listHeight}, Qt::Vertical);
    connect(actions[ActionId::ShowBeamTree], &QAction::triggered, this, [this] {
        if (closesByItsKey(*treeDock_))
            return;
        raise(treeDock_);
        tree_->setFocus(Qt::ShortcutFocusReason);
    });
    connect(actions[ActionId::ForceTarget], &QAction::triggered, this, [this] {
        raise(referenceDock_);
        reference_->startTyping();
    });
    connectViews();
}

QDockWidget* BranchDocks::addDock(QMainWindow* window, const char* name, const QString& title,
                                  QWidget* view) {
    auto* dock = new QDockWidget(title, window);
    dock->setObjectName(name);
    dock->setWidget(new widgets::RoomyArea(view, dock));
    window->addDockWidget(Qt::BottomDockWidgetArea, dock);
    QAction* toggle = dock->toggleViewAction();
    toggle->setToolTip(tr("Show or hide the panel \"%1\"").arg(title));
    connect(toggle, &QAction::triggered, this, [this, dock](bool shown) {
        if (shown)
            open(dock, true);
    });
    return dock;
}

void BranchDocks::connectViews() {
    connect(
        list_, &widgets::BranchList::showRequested, this,
        [this](int row) { showPath(static_cast<std::size_t>(row)); }, Qt::QueuedConnection);
    connect(list_, &widgets::BranchList::removeRequested, controller_,
            [this](int row) { controller_->removePath(static_cast<std::size_t>(row)); });
    connect(list_, &widgets::BranchList::stepRequested, controller_,
            [this](bool forward) { forward ? controller_->forward() : controller_->back(); });
    connect(list_, &widgets::BranchList::compareRequested, this, [this](int row) {
        // The shown branch is compared with another one.
        const bool isShown = trace::shownPath(*run_) == static_cast<std::size_t>(row);
        Q_EMIT compareRequested(isShown ? (row == 0 ? 1 : 0) : row);
    });
    connect(
        list_, &widgets::BranchList::renamed, this,
        [this](int row, const QString& name) {
            const auto path = static_cast<std::size_t>(row);
            if (!run_ || path >= run_->paths.size())
                return; // another run arrived meanwhile
            names_.rename(*run_, path, name);
            showBranches();
        },
        Qt::QueuedConnection); // the list is rebuilt
    connect(selection_, &widgets::Selection::stepChanged, this, &BranchDocks::showReference);
    connect(tree_, &widgets::BeamTreeView::nodeSelected, this, &BranchDocks::showNode);
    connect(tree_, &widgets::BeamTreeView::nodeDescribed, this, &BranchDocks::cellDescribed);
    connect(reference_, &widgets::ReferenceView::submitted, this, &BranchDocks::force);
    connect(reference_, &widgets::ReferenceView::stepRequested, this, &BranchDocks::goToReferenceStep);
}

void BranchDocks::setRun(std::shared_ptr<const trace::Run> run) {
    if (run && !run->complete)
        return; // branches exist for complete runs only
    run_ = std::move(run);
    const QString provenance = run_ ? widgets::provenance(*run_) : QString();
    list_->setProvenance(provenance);
    reference_->setProvenance(provenance);
    showBranches();
    tree_->setRun(run_);
    reference_->setReadsText(!run_ || !run_->model || !run_->model->tokenizer.empty());
    reference_->setScores(run_ ? scoresOfReference(*run_) : std::vector<analysis::TokenScore>());
    showReference();
    if (run_ && run_->paths.size() > 1 && !shownReference())
        openOnce(listDock_, branchesOpened_);
    if (!tree_->isEmpty())
        openOnce(treeDock_, treeOpened_);
}

/// Opens a panel without being asked, and therefore behind a panel that has the keyboard focus.
void BranchDocks::openOnce(QDockWidget* dock, bool& opened) {
    if (std::exchange(opened, true))
        return;
    auto* busy = dockAround(windowOf(*dock)->focusWidget());
    raise(dock);
    if (busy && windowOf(*dock)->tabifiedDockWidgets(dock).contains(busy))
        busy->raise();
}

void BranchDocks::raise(QDockWidget* dock) {
    open(dock, dock->isHidden());
}

void BranchDocks::open(QDockWidget* dock, bool wasClosed) {
    openOnTop(dock, wasClosed);
}

void BranchDocks::showBranches() {
    list_->setBranches(run_ ? branchesOf(*run_, names_.names(*run_)) : std::vector<widgets::Branch>());
}

/// Path of the forced target; empty if there is none.
std::optional<std::size_t> BranchDocks::shownReference() const {
    return run_ ? referencePath(*run_) : std::nullopt;
}

void BranchDocks::showReference() {
    const auto path = shownReference();
    const bool isShown = path && trace::shownPath(*run_) == path;
    reference_->setStep(isShown ? std::optional(selection_->step()) : std::nullopt);
}

/// Returns true, and reports it, if a trace has no maps of the path to a node.
bool BranchDocks::refuses(trace::DecodeTree::NodeId node) {
    if (!run_ || !run_->model->recorded || std::ranges::find(run_->path, node) != run_->path.end())
        return false;
    Q_EMIT refused(
        {.what = tr("A trace contains the maps of one path only, and this is another path").toStdString(),
         .where = run_->model->path,
         .wayOut = tr("open the model that it was recorded from").toStdString()});
    return true;
}

void BranchDocks::showNode(trace::DecodeTree::NodeId node) {
    if (!refuses(node))
        controller_->showNode(node);
}

void BranchDocks::showPath(std::size_t path, std::optional<int> step) {
    const bool isThere = run_ && path < run_->paths.size();
    if (isThere && trace::shownPath(*run_) != path && refuses(run_->paths[path].leaf))
        showBranches(); // selects the shown branch again
    else
        controller_->showPath(path, step);
}

void BranchDocks::goToReferenceStep(int step) {
    if (const auto path = shownReference())
        showPath(*path, step);
}

void BranchDocks::force(const QString& text) {
    if (!run_)
        return;
    const auto typed = widgets::typedSource(text, *run_->model);
    if (!typed) {
        Q_EMIT refused({.what = tr("This model has no tokenizer").toStdString(),
                        .expected = tr("ids, such as 5 6 7").toStdString(),
                        .wayOut = tr("type the ids of the translation instead of a sentence").toStdString()});
        return;
    }
    if (const auto* sentence = std::get_if<std::string>(&*typed)) {
        controller_->force(*sentence);
        return;
    }
    trace::TargetIds ids = {std::get<trace::SourceIds>(*typed).ids};
    if (const auto start = run_->model->special.start)
        ids.ids.insert(ids.ids.begin(), *start);
    controller_->force(ids);
}

QStringList BranchDocks::givenNames() {
    QStringList given;
    for (std::size_t i = 0; run_ && i < run_->paths.size(); ++i)
        given += names_.given(*run_, i);
    return given.join(QString()).isEmpty() ? QStringList() : given;
}

void BranchDocks::giveNames(const QStringList& names) {
    for (std::size_t i = 0; run_ && i < run_->paths.size(); ++i)
        names_.rename(*run_, i, names.value(static_cast<qsizetype>(i)));
    showBranches();
}

void BranchDocks::setSpaceMarksShown(bool shown) {
    tree_->setSpaceMarksShown(shown);
    reference_->setSpaceMarksShown(shown);
}

std::vector<QWidget*> BranchDocks::pictures() const {
    return {tree_, list_, reference_};
}

} // namespace headscope::app

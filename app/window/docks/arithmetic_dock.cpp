#include "app/window/docks/arithmetic_dock.h"

#include "app/window/docks/dock_tabs.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/views/arithmetic/arithmetic_view.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>

namespace headscope::app {

using Slot = RunQueue::Slot;
using widgets::ArithmeticView;

namespace {

constexpr int arithmeticHeight = 300; ///< for some rows beside the words

/// Of the path that is shown alone: the others cost time and are not looked at.
trace::Request withProjections(trace::Request shown) {
    shown.paths = {shown.paths.back()};
    shown.recording.projections = true;
    return shown;
}

} // namespace

ArithmeticDock::ArithmeticDock(RunQueue* queue, DecodeController* controller, widgets::Selection* selection,
                               const Actions& actions, QMainWindow* parent)
    : QDockWidget(tr("Arithmetic"), parent), queue_(queue), controller_(controller), selection_(selection),
      view_(new ArithmeticView(selection, this)) {
    setWidget(new widgets::RoomyArea(view_, this));
    connect(actions[ActionId::ShowArithmetic], &QAction::triggered, this, [this] {
        if (!closesByItsKey(*this))
            open();
    });
    connect(queue_, &RunQueue::runDelivered, this, [this](Slot slot, const auto& run) {
        if (slot == Slot::Arithmetic)
            take(run);
    });
    connect(queue_, &RunQueue::refused, this, [this](Slot slot, const trace::RefusalText& text) {
        if (slot == Slot::Arithmetic)
            view_->showRefusal(text);
        else if (slot == Slot::Contributions)
            view_->setWhyNoContributions(
                controller_->run() && controller_->run()->model->recorded
                    ? tr("what the output projection makes of it needs its weights, which a trace does not "
                         "hold.")
                    : QString::fromStdString(trace::paragraph(text)));
    });
    connect(view_, &ArithmeticView::cellChanged, this, &ArithmeticDock::followRow);
    connect(controller_, &DecodeController::asked, this, [this] {
        queue_->stop(Slot::Arithmetic); // of a run that is about to be another one
        queue_->stop(Slot::Contributions);
        asked_.reset();
        askedRow_.reset();
    });
    connect(controller_, &DecodeController::runChanged, this, &ArithmeticDock::follow);
    layOnOpenDocksFromMenu(this);
    // Not so where the window alone goes or comes.
    connect(this, &QDockWidget::visibilityChanged, this, &ArithmeticDock::follow);
}

void ArithmeticDock::open() {
    auto* window = qobject_cast<QMainWindow*>(parent());
    if (isHidden())
        layOnOpenDocks(window, this);
    show();
    raise();
    giveKeys(*this);
    if (height() < arithmeticHeight && !isFloating())
        window->resizeDocks({this}, {arithmeticHeight}, Qt::Vertical);
}

/// What is there of the run before stays until there is something new, so that nothing blinks.
void ArithmeticDock::follow() {
    const auto& run = controller_->run();
    if (isHidden() || !run) {
        queue_->stop(Slot::Arithmetic);
        asked_.reset();
        view_->setRuns(nullptr, nullptr);
        return;
    }
    if (!run->complete)
        return;
    auto request = withProjections(controller_->shownRequest());
    if (asked_ == request)
        return;
    asked_ = request;
    if (!view_->hasFigure())
        view_->setRuns(run, nullptr);
    queue_->run(Slot::Arithmetic, std::move(request));
}

void ArithmeticDock::take(const std::shared_ptr<const trace::Run>& run) {
    view_->setRuns(controller_->run(), run);
}

void ArithmeticDock::followRow() {
    const auto& cell = view_->cell();
    if (!cell) {
        queue_->stop(Slot::Contributions);
        askedRow_.reset();
        return;
    }
    Row row{controller_->shownRequest(), cell->head, cell->query};
    row.request.paths = {row.request.paths.back()};
    if (askedRow_ == row)
        return;
    askedRow_ = row;
    view_->setContributions(nullptr);
    queue_->ask(Slot::Contributions, this,
                [this, row = std::move(row)](engine::Engine& engine, std::stop_token stop) {
                    auto known = engine.rowContributions(row.request, row.head, row.query, std::move(stop));
                    return [this, known] { view_->setContributions(known); };
                });
}

void ArithmeticDock::addToMenu(QMenu& menu, trace::AttentionKind kind,
                               const std::optional<widgets::MapCell>& cell) {
    if (!cell)
        return;
    const auto focus = widgets::TokenFocus::cell(kind, cell->row, cell->column);
    menu.addAction(tr("How This Cell Is Computed"), this, [this, focus] {
        if (selection_->pinned() != focus)
            selection_->togglePinned(focus);
        selection_->setCursor({});
        open();
    });
}

} // namespace headscope::app

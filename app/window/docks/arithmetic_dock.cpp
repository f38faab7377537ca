#include "app/window/docks/arithmetic_dock.h"

#include "app/desktop/dock_tabs.h"
#include "widgets/controls/roomy_area.h"
#include "widgets/views/arithmetic/arithmetic_view.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>

namespace headscope::app {

using widgets::ArithmeticView;

namespace {

constexpr int arithmeticHeight = 300; ///< space for some rows and the text

} // namespace

ArithmeticDock::ArithmeticDock(widgets::Selection* selection, const Actions& actions, QMainWindow* parent)
    : QDockWidget(tr("Arithmetic"), parent), selection_(selection),
      view_(new ArithmeticView(selection, this)) {
    setWidget(new widgets::RoomyArea(view_, this));
    connect(actions[ActionId::ShowArithmetic], &QAction::triggered, this, [this] {
        if (!closesByItsKey(*this))
            open();
    });
    layOnOpenDocksFromMenu(this);
}

void ArithmeticDock::open() {
    openOnTop(this, isHidden(), arithmeticHeight);
    giveKeys(*this);
}

void ArithmeticDock::addToMenu(QMenu& menu, trace::AttentionKind kind,
                               const std::optional<widgets::MapCell>& cell) {
    if (!cell)
        return;
    const auto focus = widgets::TokenFocus::cell(kind, cell->row, cell->column);
    menu.addAction(tr("Show the Arithmetic"), this, [this, focus] {
        if (selection_->pinned() != focus)
            selection_->togglePinned(focus);
        selection_->setCursor({});
        open();
    });
}

} // namespace headscope::app

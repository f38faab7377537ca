// What may be changed by a person, all of which is looked at for a step to undo.
#include "app/document/undo_desk.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabBar>

#include <utility>

namespace headscope::app {

void UndoDesk::watchSelection(const WindowState::Parts& parts) {
    const auto expect = [this] { this->expect(); };
    connect(parts.selection, &widgets::Selection::headChanged, this, expect);
    connect(parts.selection, &widgets::Selection::stepChanged, this, expect);
    connect(parts.selection, &widgets::Selection::pinnedHeadsChanged, this, expect);
    connect(parts.selection, &widgets::Selection::focusChanged, this,
            [this, selection = parts.selection, pinned = widgets::TokenFocus()]() mutable {
                if (std::exchange(pinned, selection->pinned()) != selection->pinned())
                    this->expect(); // and nothing where the pointer only moves
            });
    connect(parts.controller, &DecodeController::runChanged, this, expect);
    connect(parts.whatIf, &WhatIf::interventionsChanged, this, expect); // also where no run comes of it
    connect(parts.controller, &DecodeController::decodingChanged, this, expect);
    connect(parts.queue, &RunQueue::busyChanged, this, [this] {
        if (expected_)
            this->expect();
        followHistory(); // what can be taken back may be that a model is opened
    });
    for (QAction* action : actions_->all())
        if (action != (*actions_)[ActionId::Undo] && action != (*actions_)[ActionId::Redo])
            connect(action, &QAction::triggered, this, [this] {
                acted_ = true;
                this->expect();
            });
}

/// However a control is used, by a hand, a key or a screen reader. Those that show only what was computed
/// change nothing that is looked at.
void UndoDesk::watchControls(QWidget* window) {
    const auto expect = [this] { this->expect(); };
    for (auto* box : window->findChildren<QComboBox*>())
        connect(box, &QComboBox::currentIndexChanged, this, expect);
    for (auto* tabs : window->findChildren<QTabBar*>())
        connect(tabs, &QTabBar::currentChanged, this, expect);
    for (auto* button : window->findChildren<QAbstractButton*>())
        connect(button, &QAbstractButton::clicked, this, expect);
    for (auto* box : window->findChildren<QSpinBox*>())
        connect(box, &QSpinBox::valueChanged, this, expect);
    for (auto* box : window->findChildren<QDoubleSpinBox*>())
        connect(box, &QDoubleSpinBox::valueChanged, this, expect);
    for (auto* line : window->findChildren<QLineEdit*>())
        connect(line, &QLineEdit::textChanged, this,
                [this, line] { this->expect(line->hasFocus() ? pause : 0); });
    for (const auto* dock : window->findChildren<QDockWidget*>()) {
        connect(dock, &QDockWidget::dockLocationChanged, this, expect);
        connect(dock, &QDockWidget::topLevelChanged, this, expect);
        connect(dock->toggleViewAction(), &QAction::triggered, this, [this] {
            acted_ = true;
            this->expect();
        });
    }
    for (auto* header : window->findChildren<QHeaderView*>())
        connect(header, &QHeaderView::sortIndicatorChanged, this, expect);
}

} // namespace headscope::app

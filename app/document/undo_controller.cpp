#include "app/document/undo_controller.h"

#include "app/document/change_names.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

constexpr int longestHeld = 2000; ///< ms without an event of a held key
constexpr int again = 50;         ///< ms until a held button is checked again

bool typesText(const QObject* widget) {
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QPlainTextEdit*>(widget);
}

/// The part of a state that undo restores; the rest stays as it is shown.
SessionState undoable(SessionState state) {
    state.typed.reset();
    state.view.clear();
    state.choices.clear();
    return state;
}

/// True if only choices differ that the program changes too, as they follow the selection.
bool differsOnlyByItself(const SessionState& before, SessionState after) {
    for (const auto& rule : widgets::choiceSpecs())
        if (const auto view = before.choices.find(rule.view);
            rule.followsSelection && view != before.choices.end() && view->second.contains(rule.name))
            after.choices[rule.view][rule.name] = view->second.at(rule.name);
    return after == before;
}

} // namespace

UndoController::UndoController(const WindowState::Parts& parts, WindowState* state, Actions* actions,
                               QWidget* window)
    : QObject(window), queue_(parts.queue), state_(state), actions_(actions) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &UndoController::look);
    connect((*actions)[ActionId::Undo], &QAction::triggered, this, &UndoController::undo);
    connect((*actions)[ActionId::Redo], &QAction::triggered, this, &UndoController::redo);
    connect(state, &WindowState::applied, this, &UndoController::followState);
    connect(state, &WindowState::failed, this, [this](const QObject* by) {
        if (by != this || history_.isEmpty())
            return;
        history_.goTo(shown_);
        followHistory();
    });
    watchSelection(parts);
    watchControls(window);
    qApp->installEventFilter(this);
    followHistory();
}

/// A new mouse press ends the previous step; mouse and key releases end their own.
bool UndoController::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (!state_->isUnsettled())
            settle();
        [[fallthrough]];
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
        acted_ = true;
        expect();
        break;
    case QEvent::Wheel:
        acted_ = true;
        expect(pause);
        break;
    case QEvent::ShortcutOverride: // sent for shortcut keys too, which cause no KeyPress
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
        if (watched->isWidgetType())
            watchKey(watched, *static_cast<QKeyEvent*>(event));
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void UndoController::watchKey(const QObject* watched, const QKeyEvent& key) {
    const bool isModifier = key.key() >= Qt::Key_Shift && key.key() <= Qt::Key_ScrollLock;
    if (isModifier)
        return;
    // Pending work is awaited, unless it is what the user undoes.
    const bool isNew = key.type() == QEvent::ShortcutOverride && !key.isAutoRepeat() && !typesText(watched);
    if (isNew && (!state_->isUnsettled() || key.matches(QKeySequence::Undo)))
        settle();
    acted_ = true;
    keyHeld_ = key.type() != QEvent::KeyRelease || key.isAutoRepeat();
    sinceKey_.start();
    if (key.type() != QEvent::ShortcutOverride)
        expect(typesText(watched) ? pause : 0);
}

void UndoController::expect(int delay) {
    if (state_->isApplying())
        return;
    expected_ = true;
    // Input that belongs together keeps its longer delay.
    timer_.start(std::max(delay, timer_.isActive() ? std::min(timer_.remainingTime(), pause) : 0));
}

void UndoController::look() {
    if (!expected_ || state_->isUnsettled())
        return; // busyChanged looks again
    if (history_.isEmpty()) {
        if (state_->hasModel())
            begin();
        return;
    }
    // A held key repeats its events; a silent one was released in another program.
    keyHeld_ = keyHeld_ && sinceKey_.elapsed() < longestHeld;
    if (keyHeld_ || QApplication::mouseButtons() != Qt::NoButton)
        timer_.start(again);
    else
        settle();
}

void UndoController::settle() {
    if (history_.isEmpty())
        look(); // begins the history if the first state is complete
    if (history_.isEmpty())
        return;
    timer_.stop();
    const bool expected = std::exchange(expected_, false);
    if (state_->isApplying())
        return;
    if (expected)
        take(state_->capture());
}

void UndoController::take(SessionState now) {
    const bool acted = std::exchange(acted_, false);
    const bool isOwn = acted || !differsOnlyByItself(seen_, now);
    const auto before = std::exchange(seen_, std::move(now));
    if (isOwn && !(before == seen_))
        add(changeName(before, seen_));
}

/// A state shown by undo is already in the history; one shown by a session is a new step.
void UndoController::followState(const QObject* by) {
    timer_.stop();
    expected_ = false;
    if (history_.isEmpty())
        return state_->hasModel() ? begin() : void();
    seen_ = state_->capture();
    if (by != this)
        return add(tr("Open Session"));
    present_ = seen_;
    shown_ = history_.place();
    followHistory();
    Q_EMIT changed();
}

/// Choices make no step of their own.
void UndoController::add(const QString& name) {
    present_ = seen_;
    if (auto step = undoable(seen_); !(step == history_.present())) {
        history_.add(std::move(step), name);
        shown_ = history_.place();
        followHistory();
    }
    Q_EMIT changed();
}

void UndoController::begin() {
    expected_ = false;
    present_ = seen_ = state_->capture();
    history_.begin(undoable(seen_));
    shown_ = history_.place();
    followHistory();
}

void UndoController::goBackTo(History history) {
    history_ = std::move(history);
    if (history_.isEmpty())
        return begin();
    present_ = seen_ = state_->capture();
    shown_ = history_.place();
    followHistory();
    Q_EMIT changed();
}

/// A model that is still being opened is not yet a step: undo cancels it.
void UndoController::undo() {
    settle();
    if (state_->stopOpening())
        return;
    if (history_.canUndo())
        show(history_.undo());
}

void UndoController::redo() {
    settle();
    if (history_.canRedo())
        show(history_.redo());
}

void UndoController::show(const SessionState& state) {
    followHistory();
    state_->apply(state, this);
}

/// True if the user opens a model, not undo or a session.
bool UndoController::isOpening() const {
    return !history_.isEmpty() && !state_->isApplying() && queue_->isBusy(WorkQueue::JobKind::Model);
}

void UndoController::followHistory() {
    const bool opens = isOpening();
    const auto name = [](const QString& verb, const QString& what) {
        return what.isEmpty() ? verb : verb + ' ' + QString(what).replace('&', "&&");
    };
    (*actions_)[ActionId::Undo]->setText(name(tr("&Undo"), opens ? tr("Open Model") : history_.undoName()));
    (*actions_)[ActionId::Redo]->setText(name(tr("&Redo"), history_.redoName()));
    actions_->setEnabled(ActionId::Undo, opens || (!history_.isEmpty() && history_.canUndo()),
                         tr("Nothing to undo."));
    actions_->setEnabled(ActionId::Redo, !history_.isEmpty() && history_.canRedo(), tr("Nothing to redo."));
}

void UndoController::watchSelection(const WindowState::Parts& parts) {
    const auto expect = [this] { this->expect(); };
    connect(parts.selection, &widgets::Selection::headChanged, this, expect);
    connect(parts.selection, &widgets::Selection::stepChanged, this, expect);
    connect(parts.selection, &widgets::Selection::pinnedHeadsChanged, this, expect);
    connect(parts.selection, &widgets::Selection::focusChanged, this,
            [this, selection = parts.selection, pinned = widgets::TokenFocus()]() mutable {
                if (std::exchange(pinned, selection->pinned()) != selection->pinned())
                    this->expect(); // hovering changes no pinned token
            });
    connect(parts.controller, &DecodeController::runChanged, this, expect);
    connect(parts.controller, &DecodeController::interventionsChanged, this, expect);
    connect(parts.controller, &DecodeController::decodingChanged, this, expect);
    connect(parts.queue, &WorkQueue::busyChanged, this, [this] {
        if (expected_)
            this->expect();
        followHistory(); // opening a model can be undone too
    });
    for (QAction* action : actions_->all())
        if (action != (*actions_)[ActionId::Undo] && action != (*actions_)[ActionId::Redo])
            connect(action, &QAction::triggered, this, [this] {
                acted_ = true;
                this->expect();
            });
}

/// Detects the use of controls by mouse, keyboard or screen reader. Controls that only display results are
/// harmless, as they do not change the state.
void UndoController::watchControls(QWidget* part) {
    const auto expect = [this] { this->expect(); };
    for (auto* box : part->findChildren<QComboBox*>())
        connect(box, &QComboBox::currentIndexChanged, this, expect);
    for (auto* tabs : part->findChildren<QTabBar*>())
        connect(tabs, &QTabBar::currentChanged, this, expect);
    for (auto* button : part->findChildren<QAbstractButton*>())
        connect(button, &QAbstractButton::clicked, this, expect);
    for (auto* box : part->findChildren<QSpinBox*>())
        connect(box, &QSpinBox::valueChanged, this, expect);
    for (auto* box : part->findChildren<QDoubleSpinBox*>())
        connect(box, &QDoubleSpinBox::valueChanged, this, expect);
    for (auto* line : part->findChildren<QLineEdit*>())
        connect(line, &QLineEdit::textChanged, this,
                [this, line] { this->expect(line->hasFocus() ? pause : 0); });
    for (auto* header : part->findChildren<QHeaderView*>())
        connect(header, &QHeaderView::sortIndicatorChanged, this, expect);
}

} // namespace headscope::app

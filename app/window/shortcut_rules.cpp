#include "app/window/shortcut_rules.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace headscope::app {

namespace {

bool isPlain(const QKeyEvent& key) {
    const bool functionKey = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35;
    return !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) && !functionKey &&
           key.key() != Qt::Key_Escape;
}

bool readsText(const QObject* widget) {
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QPlainTextEdit*>(widget);
}

/// Undo applies to the text field if it has something to undo, otherwise to the window.
bool leavesToWindow(QWidget* watched, const QKeyEvent& key) {
    auto* line = qobject_cast<QLineEdit*>(watched);
    if (!line)
        line = readsText(watched) ? watched->findChild<QLineEdit*>() : nullptr;
    if (!line)
        return false;
    return (key.matches(QKeySequence::Undo) && !line->isUndoAvailable()) ||
           (key.matches(QKeySequence::Redo) && !line->isRedoAvailable());
}

bool isEnter(int key) {
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

bool movesAbout(int key) {
    return (key >= Qt::Key_Home && key <= Qt::Key_PageDown) || key == Qt::Key_Space || key == Qt::Key_Tab ||
           isEnter(key);
}

} // namespace

ShortcutRules::ShortcutRules(QWidget* window) : QObject(window), window_(window) {
    qApp->installEventFilter(this);
}

bool ShortcutRules::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && window_->isActiveWindow() && watched->isWidgetType() &&
        watched != window_) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (leavesToWindow(static_cast<QWidget*>(watched), *key)) {
            event->ignore();
            return true;
        }
        // An open list handles Return from this very event.
        const bool isOpenLists = QApplication::activePopupWidget() && isEnter(key->key());
        if (!isOpenLists && isPlain(*key) && (readsText(watched) || movesAbout(key->key()))) {
            event->accept();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::app

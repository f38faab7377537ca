#include "app/window/former_keys.h"

#include <QAction>
#include <QShortcutEvent>

#include <algorithm>

namespace headscope::app {

namespace {

QString nameOf(const QAction* action) {
    return action->text().remove('&').remove(QStringLiteral("..."));
}

} // namespace

FormerKeys::FormerKeys(const Actions& actions, Settings* settings, QObject* parent)
    : QObject(parent), settings_(settings) {
    if (!settings->knowsFormerKeys())
        return;
    for (const auto& [keys, before] : actions.former())
        for (auto* now : actions.all())
            if (now != before && now->shortcuts().contains(keys)) {
                changed_[keys] = {now, before};
                now->installEventFilter(this);
            }
}

void FormerKeys::explain(const QKeySequence& keys) {
    const auto found = changed_.find(keys);
    if (found == changed_.end() || !settings_->addToldKeys(keys.toString()))
        return;
    const auto& [now, before] = found->second;
    const auto text = [](const QKeySequence& each) { return each.toString(QKeySequence::NativeText); };
    const QString is = tr("%1 is now “%2”.").arg(text(keys), nameOf(now));
    const QString other = text(before->shortcut());
    Q_EMIT said(other.isEmpty() ? tr("%1 Search (Ctrl+K) finds “%2”.").arg(is, nameOf(before))
                                : tr("%1 “%2” has %3.").arg(is, nameOf(before), other));
}

bool FormerKeys::eventFilter(QObject* action, QEvent* event) {
    if (event->type() == QEvent::Shortcut)
        explain(static_cast<QShortcutEvent*>(event)->key());
    return QObject::eventFilter(action, event);
}

} // namespace headscope::app

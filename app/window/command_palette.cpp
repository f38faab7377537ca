#include "app/window/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

namespace {

QString plainName(const QAction* action) {
    return action->text().remove('&').remove("...");
}

/// Every typed word stands in the name or the tooltip.
bool matches(const QAction* action, const QStringList& words) {
    const QString text = plainName(action) + " " + action->toolTip();
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

CommandPalette::CommandPalette(std::vector<QAction*> actions, QWidget* parent)
    : QDialog(parent), actions_(std::move(actions)) {
    setWindowTitle(tr("Any Action"));
    words_ = new QLineEdit(this);
    words_->setPlaceholderText(tr("Type some of an action's name or of what it does"));
    words_->setAccessibleName(tr("Words of the action"));
    words_->installEventFilter(this);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Actions found"));
    list_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words_);
    column->addWidget(list_);
    resize(520, 400);
    connect(words_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(words_, &QLineEdit::returnPressed, this, &CommandPalette::trigger);
    connect(list_, &QListWidget::itemActivated, this, &CommandPalette::trigger);
    filter();
}

std::vector<QAction*> CommandPalette::found() const {
    const QStringList words = words_->text().split(' ', Qt::SkipEmptyParts);
    std::vector<QAction*> matching;
    std::copy_if(actions_.begin(), actions_.end(), std::back_inserter(matching),
                 [&](const QAction* action) { return matches(action, words); });
    std::stable_partition(matching.begin(), matching.end(), [&](const QAction* action) {
        return words.isEmpty() || plainName(action).contains(words.first(), Qt::CaseInsensitive);
    });
    return matching;
}

void CommandPalette::filter() {
    list_->clear();
    for (const QAction* action : found()) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(
            keys.isEmpty() ? plainName(action) : tr("%1   %2").arg(plainName(action), keys), list_);
        item->setToolTip(action->toolTip());
        if (!action->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    if (list_->count() == 0)
        (new QListWidgetItem(tr("Nothing found: type fewer or other words of an action's name or tooltip"),
                             list_))
            ->setFlags(Qt::NoItemFlags);
    list_->setCurrentRow(0);
}

void CommandPalette::trigger() {
    const auto matching = found();
    const int row = list_->currentRow();
    if (row < 0 || row >= static_cast<int>(matching.size()) || !matching[row]->isEnabled())
        return;
    QAction* action = matching[row];
    accept();
    // After this dialog is gone: the action may open another.
    QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == words_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (step != 0) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, std::max(0, list_->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace headscope::app

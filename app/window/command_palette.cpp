#include "app/window/command_palette.h"

#include "app/desktop/actions.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

QString plainName(const QAction* action) {
    return action->text().remove('&').remove("...");
}

bool hasAll(const QString& text, const QStringList& words) {
    return std::ranges::all_of(words,
                               [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

enum Rank { Exact, InName, InSynonyms, InTooltip, Nowhere };

/// Returns the closest part of the action that contains all words.
Rank rankOf(const QAction* action, const QStringList& words) {
    const QString name = plainName(action);
    const QStringList synonyms = action->property(synonymsProperty).toStringList();
    const QString typed = words.join(' ');
    if (name.compare(typed, Qt::CaseInsensitive) == 0 || synonyms.contains(typed, Qt::CaseInsensitive))
        return Exact;
    const QString named = name + ' ' + synonyms.join(' ');
    return hasAll(name, words)                              ? InName
           : hasAll(named, words)                           ? InSynonyms
           : hasAll(named + ' ' + action->toolTip(), words) ? InTooltip
                                                            : Nowhere;
}

/// Counts the words that occur in the action, also without a plural s. Short words match almost everything
/// and are ignored.
int countOf(const QAction* action, const QStringList& words) {
    const QString text = plainName(action) + ' ' +
                         action->property(synonymsProperty).toStringList().join(' ') + ' ' +
                         action->toolTip();
    return std::ranges::count_if(words, [&](const QString& word) {
        constexpr qsizetype tellingLetters = 4;
        const QString stem = word.endsWith('s', Qt::CaseInsensitive) ? word.chopped(1) : word;
        return stem.size() >= tellingLetters && text.contains(stem, Qt::CaseInsensitive);
    });
}

/// Menus show the reason in the tooltip's second line.
QString whyDisabled(const QAction* action) {
    return action->isEnabled() ? QString() : action->toolTip().section('\n', 1).simplified();
}

template <class Order>
std::vector<QAction*> actionsOf(const std::vector<std::pair<Order, QAction*>>& ordered) {
    std::vector<QAction*> actions;
    for (const auto& [order, action] : ordered)
        actions.push_back(action);
    return actions;
}

} // namespace

CommandPalette::CommandPalette(std::vector<QAction*> actions, HeadAction headAction, QWidget* parent)
    : QDialog(parent), actions_(std::move(actions)), headAction_(std::move(headAction)) {
    setWindowTitle(tr("Search"));
    words_ = new QLineEdit(this);
    words_->setPlaceholderText(tr("Action, panel or model, or a head such as #2.5"));
    words_->setAccessibleName(tr("Search"));
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
    if (auto* head = headAction_(words_->text()))
        return {head};
    const QStringList words = words_->text().split(' ', Qt::SkipEmptyParts);
    if (words.isEmpty())
        return actions_;
    std::vector<std::pair<Rank, QAction*>> ranked;
    for (QAction* action : actions_)
        if (const Rank rank = rankOf(action, words); rank != Nowhere)
            ranked.emplace_back(rank, action);
    std::ranges::stable_sort(ranked, {}, &std::pair<Rank, QAction*>::first);
    return ranked.empty() ? withSomeOf(words) : actionsOf(ranked);
}

/// For free text that no action matches completely.
std::vector<QAction*> CommandPalette::withSomeOf(const QStringList& words) const {
    std::vector<std::pair<int, QAction*>> counted;
    for (QAction* action : actions_)
        if (const int count = countOf(action, words); count > 0)
            counted.emplace_back(-count, action);
    std::ranges::stable_sort(counted, {}, &std::pair<int, QAction*>::first);
    return actionsOf(counted);
}

void CommandPalette::filter() {
    list_->clear();
    for (const QAction* action : found()) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const QString named = keys.isEmpty() ? plainName(action) : tr("%1   %2").arg(plainName(action), keys);
        const QString why = whyDisabled(action);
        auto* item = new QListWidgetItem(why.isEmpty() ? named : tr("%1\n%2").arg(named, why), list_);
        item->setToolTip(action->toolTip());
        if (!action->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    if (list_->count() == 0)
        (new QListWidgetItem(tr("No match. Try “export”, “dark”, “#2.5”."), list_))
            ->setFlags(Qt::NoItemFlags);
    list_->setCurrentRow(0);
}

void CommandPalette::trigger() {
    const auto matching = found();
    const int row = list_->currentRow();
    if (row < 0 || row >= std::ssize(matching) || !matching[row]->isEnabled())
        return;
    QAction* action = matching[row];
    accept();
    // Deferred until this dialog is gone, as the action may open another.
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

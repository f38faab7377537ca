#include "app/window/command_palette.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::app {

CommandPalette::CommandPalette(std::vector<SearchEntry> entries, std::map<SearchEntry::Kind, QString> whyNone,
                               QWidget* parent)
    : QDialog(parent), entries_(std::move(entries)), whyNone_(std::move(whyNone)) {
    setWindowTitle(tr("Search"));
    words_ = new QLineEdit(this);
    words_->setPlaceholderText(tr("Action, setting, head, token, model or page of the manual"));
    words_->setAccessibleName(tr("Search"));
    words_->setClearButtonEnabled(true);
    words_->installEventFilter(this);
    list_ = new QTreeWidget(this);
    list_->setAccessibleName(tr("Found"));
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setFocusProxy(words_); // the keys stay in the field
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* prefixes = new QLabel(tr("> actions   # heads   @ tokens   : steps   ! models"), this);
    prefixes->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words_);
    column->addWidget(list_);
    column->addWidget(prefixes);
    resize(600, 440);
    connect(words_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(words_, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::choose);
    filter();
}

void CommandPalette::setTyped(const QString& typed) {
    words_->setText(typed);
}

QString CommandPalette::detailOf(const SearchEntry& entry, const QString& words) const {
    if (!entry.formerly.contains(words, Qt::CaseInsensitive))
        return entry.detail;
    const QString was = tr("was %1").arg(words);
    return entry.detail.isEmpty() ? was : tr("%1, %2").arg(entry.detail, was);
}

void CommandPalette::filter() {
    list_->clear();
    found_ = searched(entries_, words_->text());
    const auto [kind, words] = searchText(words_->text());
    for (const auto* entry : found_) {
        const QString name =
            entry->whyNot.isEmpty() ? entry->name : QStringLiteral("%1\n%2").arg(entry->name, entry->whyNot);
        auto* item = new QTreeWidgetItem(list_, {name, detailOf(*entry, words)});
        item->setTextAlignment(1,
                               Qt::AlignRight | (entry->whyNot.isEmpty() ? Qt::AlignVCenter : Qt::AlignTop));
        item->setForeground(1, palette().placeholderText());
        item->setToolTip(0, entry->summary);
        if (!entry->whyNot.isEmpty())
            item->setForeground(0, palette().placeholderText());
    }
    if (found_.empty())
        addNote(kind ? whyNone_[*kind] : QString());
    list_->setCurrentItem(list_->topLevelItem(0));
}

void CommandPalette::addNote(const QString& words) {
    auto* note = new QTreeWidgetItem(
        list_, {words.isEmpty() ? tr("No match. Try “export”, “dark”, “#2.5”.") : words, QString()});
    note->setFlags(Qt::NoItemFlags);
}

void CommandPalette::choose() {
    const int row = list_->indexOfTopLevelItem(list_->currentItem());
    if (row < 0 || row >= std::ssize(found_) || !found_[row]->whyNot.isEmpty())
        return;
    chosen_ = found_[row];
    accept();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == words_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            QApplication::sendEvent(list_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace headscope::app

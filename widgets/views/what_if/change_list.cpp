#include "widgets/views/what_if/change_list.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/views/what_if/change_editor.h"
#include "widgets/views/what_if/proposed_changes.h"
#include "widgets/words/change_words.h"
#include "widgets/words/counting_words.h"
#include "widgets/words/plain_text.h"
#include "widgets/words/trace_words.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

ChangeList::ChangeList(const Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection), list_(new QListWidget(this)), empty_(new QLabel(this)),
      add_(new QToolButton(this)), addMenu_(new QMenu(tr("Add a Chan&ge"), this)),
      remove_(new QPushButton(tr("Remove"), this)), clear_(new QPushButton(tr("Clear All"), this)) {
    buildList();
    auto* buttons = new FlowLayout;
    for (QWidget* button :
         {static_cast<QWidget*>(add_), static_cast<QWidget*>(remove_), static_cast<QWidget*>(clear_)})
        buttons->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(empty_);
    column->addWidget(list_);
    column->addLayout(buttons);
    showList();
}

void ChangeList::buildList() {
    empty_->setTextFormat(Qt::PlainText);
    empty_->setWordWrap(true);
    list_->setAccessibleName(tr("Changes in the model"));
    list_->setWordWrap(true);
    list_->setTextElideMode(Qt::ElideNone);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setResizeMode(QListView::Adjust);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the panel scrolls as a whole
    list_->installEventFilter(this);
    list_->viewport()->installEventFilter(this);
    add_->setText(tr("Add"));
    add_->setMenu(addMenu_);
    add_->setPopupMode(QToolButton::InstantPopup);
    add_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    add_->setFocusPolicy(Qt::StrongFocus);
    connect(addMenu_, &QMenu::aboutToShow, this, &ChangeList::fillAddMenu);
    connect(list_, &QListWidget::itemChanged, this, &ChangeList::itemChanged);
    connect(list_, &QListWidget::itemDoubleClicked, this,
            [this](QListWidgetItem* item) { edit(list_->row(item)); });
    connect(remove_, &QPushButton::clicked, this, &ChangeList::removeCurrent);
    connect(clear_, &QPushButton::clicked, this, [this] { want({}); });
}

void ChangeList::follow(const DocumentState& document) {
    if (model_ == document.model && run_ == document.run && changes_ == document.changes)
        return;
    model_ = document.model;
    run_ = document.run;
    changes_ = document.changes;
    showList();
}

void ChangeList::fillAddMenu() {
    addMenu_->clear();
    addMenu_->setToolTipsVisible(!whyNothing().isEmpty());
    if (!model_) {
        addMenu_->addAction(tr("No model is open"))->setEnabled(false);
        return;
    }
    for (const auto& proposed : proposedChanges(*selection_, *model_))
        offer(*addMenu_, proposed);
}

void ChangeList::offer(QMenu& menu, const ProposedChange& proposed) {
    QAction* action = menu.addAction(proposed.text, this, [this, proposed] {
        ChangeEditor editor(proposed.change, model_, run_, this);
        if (proposed.asks && editor.exec() != QDialog::Accepted)
            return;
        auto changes = changes_;
        changes.push_back({editor.change()});
        want(std::move(changes));
    });
    const QString whyNot = whyNothing();
    action->setEnabled(whyNot.isEmpty());
    action->setToolTip(whyNot.isEmpty() ? tr("Add a change to the model") : plainToolTip(whyNot));
}

void ChangeList::addTo(QMenu& menu, const PointedAt& pointed) {
    const auto& head = pointed.head;
    menu.addSeparator();
    if (pointed.cell) {
        for (const auto& proposed : cellChanges(head, pointed.cell->query, pointed.cell->key))
            offer(menu, proposed);
        menu.addSeparator();
    }
    const auto off = trace::withoutHead(head);
    const bool isOff = std::ranges::find(changes_, off) != changes_.end();
    auto* toggle = menu.addAction(isOff ? enableTitle(head) : changeTitle(off.change), this,
                                  [this, head] { Q_EMIT intended(intents::ToggleHead{head}); });
    if (const QString whyNot = whyNothing(); !whyNot.isEmpty()) {
        toggle->setEnabled(false);
        toggle->setToolTip(plainToolTip(whyNot));
        menu.setToolTipsVisible(true);
    }
    for (const auto& proposed : headChanges(head))
        offer(menu, proposed);
}

QString ChangeList::whyNothing() const {
    return model_ ? whyNothingRuns(*model_) : QString();
}

void ChangeList::want(std::vector<trace::Intervention> changes) {
    Q_EMIT intended(intents::ChangeModel{std::move(changes)});
}

void ChangeList::edit(int index) {
    const auto before = changes_.at(static_cast<std::size_t>(index));
    if (!model_ || !whyNothing().isEmpty() || !ChangeEditor::hasFields(before.change))
        return;
    ChangeEditor editor(before.change, model_, run_, this);
    if (editor.exec() != QDialog::Accepted || editor.change() == before.change)
        return;
    auto changes = changes_; // others by now, if another model was opened
    if (const auto place = static_cast<std::size_t>(index);
        place < changes.size() && changes[place] == before) {
        changes[place] = {editor.change()};
        want(std::move(changes));
    }
}

void ChangeList::removeCurrent() {
    const int row = list_->currentRow();
    if (row < 0)
        return;
    auto changes = changes_;
    changes.erase(changes.begin() + row);
    want(std::move(changes));
}

/// Items store the colours of text and check mark, so they must be set again.
void ChangeList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showList();
}

/// Queued, because the list is still emitting its signal; the changes may be others by then.
void ChangeList::itemChanged(const QListWidgetItem* item) {
    const auto row = static_cast<std::size_t>(list_->row(item));
    if (const bool on = item->checkState() == Qt::Checked; changes_.at(row).on != on)
        QMetaObject::invokeMethod(
            this,
            [this, row, on, before = changes_] {
                if (changes_ != before)
                    return;
                auto changes = changes_;
                changes[row].on = on;
                want(std::move(changes));
            },
            Qt::QueuedConnection);
}

void ChangeList::showItem(QListWidgetItem* item, const trace::Intervention& intervention) const {
    const QString option = changeOption(intervention.change);
    const bool unreached = run_ && intervention.on &&
                           std::ranges::find(run_->unreached, option.toStdString()) != run_->unreached.end();
    QString words = changeInWords(intervention.change, run_.get());
    QString tip = words + '\n' + option + '\n' + countingInWords();
    if (unreached) {
        words += tr(" (no effect)");
        tip += '\n' + tr("No effect: this sentence has no such row or key.");
    }
    const QString whyNot = whyNothing();
    if (!whyNot.isEmpty())
        tip += '\n' + whyNot;
    item->setText(words);
    item->setToolTip(plainToolTip(tip));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable |
                   (whyNot.isEmpty() ? Qt::ItemIsUserCheckable : Qt::NoItemFlags));
    item->setCheckState(intervention.on ? Qt::Checked : Qt::Unchecked);
    item->setForeground(unreached ? palette().brush(QPalette::PlaceholderText)
                                  : palette().brush(QPalette::Text));
}

void ChangeList::showList() {
    const QSignalBlocker quiet(list_);
    const auto count = static_cast<int>(changes_.size());
    while (list_->count() > count)
        delete list_->takeItem(list_->count() - 1);
    while (list_->count() < count)
        list_->addItem(new QListWidgetItem);
    for (int row = 0; row < count; ++row)
        showItem(list_->item(row), changes_[static_cast<std::size_t>(row)]);
    if (list_->currentRow() < 0)
        list_->setCurrentRow(count - 1);
    list_->setVisible(count > 0);
    fitList();
    const QString whyNot = model_ ? whyNothing() : tr("Open a model first.");
    empty_->setText(
        model_ && !whyNot.isEmpty() ? whyNot : tr("Press D to switch this head off, or add another change."));
    empty_->setVisible(count == 0);
    for (QPushButton* button : {remove_, clear_}) {
        button->setVisible(count > 0);
        button->setEnabled(whyNot.isEmpty());
        button->setToolTip(!whyNot.isEmpty()  ? plainToolTip(whyNot)
                           : button == clear_ ? tr("Restore the original model")
                                              : tr("Remove the selected change (Del)"));
    }
    add_->setEnabled(whyNot.isEmpty());
    add_->setToolTip(whyNot.isEmpty() ? tr("Add a change to the model") : plainToolTip(whyNot));
}

/// Makes the list as high as its wrapped rows, so that the effect follows directly below.
void ChangeList::fitList() {
    QAbstractItemView* view = list_;
    view->doItemsLayout();
    const int count = list_->count();
    const int high = count > 0 ? list_->visualItemRect(list_->item(count - 1)).bottom() + 1 : 0;
    list_->setFixedHeight(high + 2 * list_->frameWidth());
}

bool ChangeList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_->viewport() && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &ChangeList::fitList,
                                  Qt::QueuedConnection); // queued: the list has not handled the event yet
    if (watched == list_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete) {
            removeCurrent();
            return true;
        }
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && list_->currentRow() >= 0) {
            edit(list_->currentRow());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace headscope::widgets

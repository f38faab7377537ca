#include "app/window/home/key_list.h"

#include "widgets/words/counting_words.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::app {

namespace {

/// What the mouse does, and with what.
constexpr std::array mouse{
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Hover"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Highlight a token or cell in all views")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Click"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Pin a token or cell, or unpin it")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Click"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Select the head of a small map or a list entry")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Double-click"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Open a small map in the heatmap")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Double-click"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Switch a head in a list off or on")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Wheel, drag"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Zoom and pan a map")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Double-click"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Fit the map")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Ctrl and wheel"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Zoom a map on a scrolling page")),
    std::pair(QT_TRANSLATE_NOOP("headscope::app::KeyList", "Right-click"),
              QT_TRANSLATE_NOOP("headscope::app::KeyList", "Copy, export and edit")),
};

void search(QTreeWidget* list, const QString& typed) {
    const QStringList all = typed.split(' ', Qt::SkipEmptyParts);
    for (int row = 0; row < list->topLevelItemCount(); ++row) {
        auto* item = list->topLevelItem(row);
        const QString text = item->text(0) + '\n' + item->text(1) + '\n' + item->text(2);
        item->setHidden(!std::ranges::all_of(
            all, [&](const QString& each) { return text.contains(each, Qt::CaseInsensitive); }));
    }
}

} // namespace

KeyList::KeyList(const Actions& actions, QWidget* parent) : QWidget(parent), words_(new QLineEdit(this)) {
    words_->setPlaceholderText(tr("Search keys and actions"));
    words_->setAccessibleName(words_->placeholderText());
    words_->setClearButtonEnabled(true);
    auto* list = new QTreeWidget(this);
    list->setAccessibleName(tr("Keyboard Shortcuts"));
    list->setHeaderLabels({tr("Action"), tr("Keys"), tr("Previous version")});
    list->setRootIsDecorated(false);
    list->setAlternatingRowColors(true);
    const auto addRow = [list](const QStringList& texts) { new QTreeWidgetItem(list, texts); };
    for (const QAction* action : actions.all()) {
        const QStringList formerly = action->property(formerProperty).toStringList();
        if (const auto keys = action->shortcuts(); !keys.isEmpty())
            addRow({action->text().remove('&').remove("..."),
                    QKeySequence::listToString(keys, QKeySequence::NativeText).replace("; ", ", "),
                    formerly.join(QStringLiteral(", "))});
    }
    for (const auto& [does, what] : mouse)
        addRow({tr(what), tr(does), {}});
    for (const int column : {0, 1})
        list->resizeColumnToContents(column);
    connect(words_, &QLineEdit::textChanged, list, [list](const QString& typed) { search(list, typed); });
    auto* notes = new QLabel(tr("Keys without Ctrl work while no text field has the keyboard focus; Esc "
                                "leaves a field. In a map, the arrow keys move from cell to cell. %1")
                                 .arg(widgets::countingInWords()),
                             this);
    notes->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(words_);
    column->addWidget(list);
    column->addWidget(notes);
}

} // namespace headscope::app

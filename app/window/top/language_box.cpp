#include "app/window/top/language_box.h"

#include "widgets/words/captions.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>

namespace headscope::app {

namespace {

QString titleOf(const std::string& code) {
    const QString plain = QString::fromStdString(code);
    const QString name = widgets::languageName(code);
    return name == plain ? plain : LanguageBox::tr("%1 (%2)", "a language's name and code").arg(name, plain);
}

} // namespace

LanguageBox::LanguageBox(const QString& name, QWidget* parent) : QComboBox(parent) {
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setAccessibleName(name);
    lineEdit()->setAccessibleName(name);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    hide();
    connect(this, &QComboBox::activated, this, [this] {
        if (language() == chosen_)
            return;
        chosen_ = language();
        Q_EMIT languageChosen(chosen_);
    });
    connect(lineEdit(), &QLineEdit::returnPressed, this, &LanguageBox::settle);
}

void LanguageBox::setLanguages(const std::vector<std::string>& codes, const QStringList& wanted,
                               bool hasNone) {
    constexpr int widest = 18; // characters; the list itself is as wide as it needs
    clear();
    int longest = 0;
    for (const auto& code : codes) {
        addItem(titleOf(code), QString::fromStdString(code));
        longest = std::max<int>(longest, itemText(count() - 1).size());
    }
    if (hasNone)
        addItem(tr("as typed"), QString());
    setMinimumContentsLength(std::min(longest, widest));
    view()->setMinimumWidth(view()->sizeHintForColumn(0));
    int place = -1;
    for (const QString& code : wanted)
        if (place < 0)
            place = findData(code);
    setCurrentIndex(std::max(0, place));
    showChosen();
    setVisible(!codes.empty());
}

void LanguageBox::setSortedLanguages(std::vector<std::string> codes, const std::string& wanted) {
    std::ranges::sort(codes, [](const auto& a, const auto& b) {
        return QString::localeAwareCompare(titleOf(a), titleOf(b)) < 0;
    });
    setLanguages(codes, {QString::fromStdString(wanted)}, false);
    if (language().toStdString() != wanted) {
        setCurrentIndex(-1);
        showChosen();
    }
}

void LanguageBox::setLanguage(const QString& language) {
    if (const int place = findData(language); place >= 0)
        setCurrentIndex(place);
    showChosen();
}

/// If the typed text is no language of the list, the first completion is taken.
void LanguageBox::settle() {
    const auto isTyped = [this](int place) {
        return itemText(place).contains(currentText(), Qt::CaseInsensitive);
    };
    int place = findData(currentText(), Qt::UserRole, Qt::MatchFixedString);
    for (int i = 0; place < 0 && i < count() && !currentText().isEmpty(); ++i)
        if (isTyped(i))
            place = i;
    if (place < 0 || itemData(place).toString() == chosen_)
        return showChosen();
    setCurrentIndex(place);
    Q_EMIT activated(place);
}

/// Drops text that was only typed.
void LanguageBox::showChosen() {
    chosen_ = language();
    setEditText(currentIndex() < 0 ? QString() : itemText(currentIndex()));
    lineEdit()->setCursorPosition(0);
}

/// A language opens the model again: neither the wheel nor an arrow key chooses one in passing.
void LanguageBox::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

void LanguageBox::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        showPopup();
    else
        QComboBox::keyPressEvent(event);
}

/// Typing then replaces the name. Queued, as a mouse press sets the cursor after this.
void LanguageBox::focusInEvent(QFocusEvent* event) {
    QComboBox::focusInEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        QTimer::singleShot(0, lineEdit(), &QLineEdit::selectAll);
}

void LanguageBox::focusOutEvent(QFocusEvent* event) {
    QComboBox::focusOutEvent(event);
    if (event->reason() == Qt::PopupFocusReason)
        return;
    setCurrentIndex(findData(chosen_));
    showChosen();
}

} // namespace headscope::app

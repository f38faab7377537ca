#include "widgets/controls/sentence_edit.h"

#include "widgets/drawing/spacing.h"

#include <QCompleter>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::widgets {

namespace {

/// Replaces each sequence of line breaks and control characters by one space.
QString oneLine(const QString& text) {
    QString line;
    line.reserve(text.size());
    for (const QChar c : text) {
        const bool isBreak = c < QChar(0x20) || c == QChar::LineSeparator || c == QChar::ParagraphSeparator;
        if (!isBreak)
            line += c;
        else if (!line.endsWith(QChar(' ')))
            line += QChar(' ');
    }
    return line;
}

} // namespace

SentenceEdit::SentenceEdit(QWidget* parent)
    : QWidget(parent), line_(new QLineEdit(this)), choose_(new QToolButton(this)), menu_(new QMenu(this)),
      notice_(new QLabel(this)) {
    setAccessibleName(tr("Sentence"));
    line_->setAccessibleName(tr("Sentence"));
    line_->setPlaceholderText(tr("Type a sentence and press Enter"));
    line_->setMaxLength(longestSentence);
    setFocusProxy(line_);
    line_->installEventFilter(this);
    choose_->setAccessibleName(tr("Sample sentences and history"));
    choose_->setToolTip(tr("Sample sentences and history"));
    choose_->setArrowType(Qt::DownArrow);
    // Not set as the button's menu, for which the style would draw a second arrow.
    connect(choose_, &QToolButton::clicked, this,
            [this] { menu_->popup(choose_->mapToGlobal(choose_->rect().bottomLeft())); });
    notice_->setTextFormat(Qt::PlainText);
    notice_->setWordWrap(true);
    notice_->hide();

    auto* completer = new QCompleter(new QStringListModel(this), this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    line_->setCompleter(completer);

    auto* row = new QHBoxLayout;
    row->setSpacing(space::xs);
    row->addWidget(line_, 1);
    row->addWidget(choose_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addLayout(row);
    column->addWidget(notice_);

    connect(line_, &QLineEdit::inputRejected, this, [this] { saySentenceWasCut(true); });
    connect(line_, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (text.size() < longestSentence)
            saySentenceWasCut(false);
    });
    connect(line_, &QLineEdit::returnPressed, this, &SentenceEdit::submit);
    fillMenu();
}

/// A sentence that is longer than the field is seen from its beginning, unless a person types.
bool SentenceEdit::eventFilter(QObject* watched, QEvent* event) {
    const bool isDone = QWidget::eventFilter(watched, event);
    const bool isLeft = event->type() == QEvent::FocusOut &&
                        static_cast<QFocusEvent*>(event)->reason() < Qt::ActiveWindowFocusReason;
    if (!line_->hasFocus() && (isLeft || event->type() == QEvent::Resize))
        line_->home(false);
    return isDone;
}

QString SentenceEdit::text() const {
    return oneLine(line_->text());
}

void SentenceEdit::setText(const QString& text) {
    const QString line = oneLine(text.left(2 * longestSentence));
    line_->setText(line.left(longestSentence));
    if (!line_->hasFocus())
        line_->home(false);
    saySentenceWasCut(line.size() > longestSentence);
}

void SentenceEdit::setSamples(const QStringList& sentences, const QStringList& phenomena) {
    samples_ = sentences;
    phenomena_ = phenomena;
    fillMenu();
}

void SentenceEdit::setHistory(const QStringList& sentences) {
    history_ = sentences;
    fillMenu();
}

void SentenceEdit::makeOptional(const QString& name, const QString& placeholder) {
    setAccessibleName(name);
    line_->setAccessibleName(name);
    line_->setPlaceholderText(placeholder);
    isOptional_ = true;
}

void SentenceEdit::submit() {
    if (const QString sentence = text(); isOptional_ || !sentence.trimmed().isEmpty())
        Q_EMIT submitted(sentence);
}

void SentenceEdit::fillMenu() {
    menu_->clear();
    const auto add = [this](const QString& title, const QStringList& sentences,
                            const QStringList& phenomena = {}) {
        if (!sentences.isEmpty())
            menu_->addSection(title);
        for (int i = 0; i < sentences.size(); ++i) {
            const QString sentence = sentences[i], phenomenon = phenomena.value(i);
            const QString line = oneLine(sentence.left(200));
            const QString shown =
                phenomenon.isEmpty() ? line : tr("%1: %2", "Negation: I do not know.").arg(phenomenon, line);
            QString words = menu_->fontMetrics().elidedText(shown, Qt::ElideRight, 640);
            QAction* action = menu_->addAction(words.replace('&', QStringLiteral("&&")));
            connect(action, &QAction::triggered, this, [this, sentence] {
                setText(sentence);
                submit();
            });
        }
    };
    add(tr("Samples"), samples_, phenomena_);
    add(tr("History"), history_);
    choose_->setEnabled(!menu_->isEmpty());
    if (menu_->isEmpty())
        choose_->setToolTip(tr("No samples and no history yet."));
    else
        choose_->setToolTip(tr("Sample sentences and history"));
    QStringList all = history_ + samples_;
    all.removeDuplicates();
    static_cast<QStringListModel*>(line_->completer()->model())->setStringList(all);
}

void SentenceEdit::saySentenceWasCut(bool cut) {
    notice_->setText(cut ? tr("Only the first %1 characters are kept. For longer texts use the command line: "
                              "headscope-cli translate or trace.")
                               .arg(QLocale().toString(longestSentence))
                         : QString());
    notice_->setVisible(cut);
}

} // namespace headscope::widgets

#include "app/window/pattern_dialog.h"

#include "app/window/top/strip_area.h"
#include "widgets/controls/token_strip.h"
#include "widgets/drawing/spacing.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

namespace {

QLabel* wrappedWords(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText); // it may quote the pattern
    label->setWordWrap(true);
    return label;
}

} // namespace

PatternDialog::PatternDialog(WorkQueue* queue, const QString& pattern, const QString& sentence,
                             QWidget* parent)
    : QDialog(parent), queue_(queue), sentence_(sentence.toStdString()), field_(new QLineEdit(pattern, this)),
      strip_(new widgets::TokenStrip(tr("Tokens of the sentence"), this)), settle_(new QTimer(this)) {
    setWindowTitle(tr("Split Text by a Pattern"));
    setMinimumWidth(640);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(widgets::space::l, widgets::space::l, widgets::space::l, widgets::space::l);
    column->setSpacing(widgets::space::m);
    auto* title = wrappedWords(tr("Each &match of this regular expression is a token. A dot (.) matches one "
                                  "character. Leave the field empty to split as the model's files say."),
                               this);
    title->setBuddy(field_);
    column->addWidget(title);
    field_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    field_->setAccessibleName(tr("Regular expression"));
    field_->setClearButtonEnabled(true);
    column->addWidget(field_);
    auto* area = new StripArea(strip_, this);
    constexpr int mostLines = 4;
    area->setMostLines(mostLines);
    column->addWidget(area);
    says_ = wrappedWords({}, this);
    says_->setAccessibleName(tr("Preview"));
    says_->setMinimumHeight(2 * fontMetrics().lineSpacing());
    says_->setAlignment(Qt::AlignTop);
    column->addWidget(says_);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    use_ = buttons->addButton(tr("&Use"), QDialogButtonBox::AcceptRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    settle_->setSingleShot(true);
    settle_->setInterval(250); // patterns are typed character by character
    connect(settle_, &QTimer::timeout, this, &PatternDialog::ask);
    connect(field_, &QLineEdit::textChanged, this, &PatternDialog::edited);
    edited();
}

QString PatternDialog::pattern() const {
    return field_->text();
}

void PatternDialog::edited() {
    queue_->stop(WorkQueue::JobKind::Background, this);
    strip_->setTokens({});
    const bool isEmpty = pattern().isEmpty();
    say(isEmpty ? tr("The text is split as the model's files say.") : QString(), isEmpty);
    isEmpty ? settle_->stop() : settle_->start();
}

void PatternDialog::ask() {
    queue_->ask(
        WorkQueue::JobKind::Background, this,
        [this, pattern = pattern().toStdString(), sentence = sentence_](engine::Engine& engine,
                                                                        const trace::Task&) {
            const auto tokens = engine.tokensByPattern(pattern, sentence);
            return [this, tokens] { showTokens(tokens); };
        },
        {.refused =
             [this](const trace::RefusalText& text) {
                 say(tr("%1. Expected: %2.")
                         .arg(QString::fromStdString(text.what), QString::fromStdString(text.expected)),
                     false);
             },
         .progressed = {}});
}

void PatternDialog::showTokens(const std::vector<trace::Token>& tokens) {
    strip_->setTokens(tokens);
    const auto unknown = std::ranges::count(tokens, trace::TokenRole::Unknown, &trace::Token::role);
    say(unknown == 0 ? tr("%1 tokens; the model knows all of them.").arg(tokens.size())
                     : tr("%1 tokens; the model does not know %2 of them.").arg(tokens.size()).arg(unknown),
        true);
}

void PatternDialog::say(const QString& words, bool isUsable) {
    says_->setText(words);
    use_->setEnabled(isUsable);
}

} // namespace headscope::app

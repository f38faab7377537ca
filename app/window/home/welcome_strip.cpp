#include "app/window/home/welcome_strip.h"

#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace headscope::app {

WelcomeStrip::WelcomeStrip(QWidget* parent) : QFrame(parent), words_(new QLabel(this)) {
    setAccessibleName(tr("Welcome"));
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(widgets::space::l, widgets::space::xs, widgets::space::s, widgets::space::xs);
    row->setSpacing(widgets::space::s);
    row->addWidget(words_, 1);
    introducing_ = {
        add(tr("Take the Tour (2 min)"), tr("Six steps in this window"), &WelcomeStrip::tourChosen),
        add(tr("Other Models"), tr("The models that come with Headscope"), &WelcomeStrip::othersChosen),
        add(tr("Open a Model..."), tr("Open a folder with a model"), &WelcomeStrip::ownChosen)};
    continue_ = add(tr("Continue"), tr("Restore the last model, sentence, changes and views"),
                    &WelcomeStrip::continueChosen);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("\u00d7"));
    close->setAccessibleName(tr("Close"));
    close->setToolTip(tr("Hide this line"));
    close->setAutoRaise(true);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &WelcomeStrip::closed);
    connect(this, &WelcomeStrip::closed, this, [this] {
        hide();
        window()->setFocus(); // so that the arrow keys step
    });
    hide();
}

QPushButton* WelcomeStrip::add(const QString& text, const QString& toolTip, void (WelcomeStrip::*chosen)()) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(toolTip);
    button->setAccessibleName(text);
    layout()->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, chosen] {
        Q_EMIT closed();
        Q_EMIT(this->*chosen)();
    });
    return button;
}

void WelcomeStrip::show(const QString& words, const QList<QPushButton*>& buttons) {
    words_->setText(words);
    for (auto* button : introducing_ + QList<QPushButton*>{continue_})
        button->setVisible(buttons.contains(button));
    QFrame::show();
}

void WelcomeStrip::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), widgets::themeOf(palette()).accentSoft);
}

void WelcomeStrip::introduce() {
    setTask({});
}

void WelcomeStrip::setTask(const QString& task) {
    show(tr("%1 Each square is one head.", "This model translates English to German.").arg(task).trimmed(),
         introducing_);
}

bool WelcomeStrip::introduces() const {
    return !isHidden() && !introducing_.front()->isHidden();
}

void WelcomeStrip::offerToContinue(const QString& sentence, const QString& model) {
    constexpr int longest = 60;
    const QString shown = sentence.size() > longest ? sentence.left(longest) + QChar(0x2026) : sentence;
    show(shown.isEmpty() ? tr("Pick up where you left off: %1").arg(model)
                         : tr("Pick up where you left off: \u201c%1\u201d with %2").arg(shown, model),
         {continue_});
}

} // namespace headscope::app

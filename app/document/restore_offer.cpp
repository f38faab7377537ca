#include "app/document/restore_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace headscope::app {

RestoreOffer::RestoreOffer(QWidget* parent) : QFrame(parent), words_(new QLabel(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Restore"));
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    (new QHBoxLayout(this))->addWidget(words_, 1);
    restore_ = add(tr("Restore"), "restore", tr("Reopen the model, sentence, changes and views as they were"),
                   &RestoreOffer::restoreChosen);
    discard_ = add(tr("Discard"), "discard", tr("Remove the saved work"), &RestoreOffer::discardChosen);
    undo_ = add(tr("Undo Discard"), "undoDiscard", tr("Offer the saved work again"),
                &RestoreOffer::takeBackChosen);
    close_ = add(tr("Close"), "closeOffer",
                 tr("Hide this message; the discarded work is removed when the window closes"), nullptr);
    hide();
}

/// Any button closes the message.
QPushButton* RestoreOffer::add(const QString& text, const char* name, const QString& toolTip,
                               void (RestoreOffer::*chosen)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(toolTip);
    button->setAccessibleName(text);
    static_cast<QHBoxLayout*>(layout())->addWidget(button, 0, Qt::AlignTop);
    connect(button, &QPushButton::clicked, this, [this] {
        hide();
        window()->setFocus(); // so that the arrow keys step through rows again
    });
    if (chosen)
        connect(button, &QPushButton::clicked, this, chosen);
    return button;
}

void RestoreOffer::show(const QString& words, const QList<QPushButton*>& buttons) {
    words_->setText(words);
    for (auto* button : {restore_, discard_, undo_, close_})
        button->setVisible(buttons.contains(button));
    QFrame::show();
}

void RestoreOffer::offer(const QString& when) {
    show(tr("Headscope closed unexpectedly. Restore your work from %1?").arg(when), {restore_, discard_});
}

void RestoreOffer::offerToTakeBack() {
    show(tr("The saved work was discarded."), {undo_, close_});
}

} // namespace headscope::app

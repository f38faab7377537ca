#include "app/window/restore_offer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace headscope::app {

RestoreOffer::RestoreOffer(QWidget* parent) : QFrame(parent), words_(new QLabel(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Restore"));
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    auto* restore = new QPushButton(tr("Restore"), this);
    restore->setObjectName("restore");
    restore->setToolTip(tr("Show again what was shown then: model, sentence, changes and views"));
    auto* discard = new QPushButton(tr("Discard"), this);
    discard->setObjectName("discard");
    discard->setToolTip(tr("Forget it"));
    auto* row = new QHBoxLayout(this);
    row->addWidget(words_, 1);
    for (auto* button : {restore, discard}) {
        button->setAccessibleName(button->text());
        row->addWidget(button, 0, Qt::AlignTop);
    }
    for (auto* button : {restore, discard})
        connect(button, &QPushButton::clicked, this, [this] {
            hide();
            window()->setFocus(); // keys step again
        });
    connect(restore, &QPushButton::clicked, this, &RestoreOffer::restoreChosen);
    connect(discard, &QPushButton::clicked, this, &RestoreOffer::discardChosen);
    hide();
}

void RestoreOffer::offer(const QString& when) {
    words_->setText(
        tr("Headscope ended before its time. What was shown then was saved %1 and can be restored.")
            .arg(when));
    show();
}

} // namespace headscope::app

#include "widgets/controls/card_head.h"

#include "widgets/controls/flow_layout.h"
#include "widgets/controls/help_button.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/words/plain_text.h"

#include <QEvent>
#include <QLabel>

namespace headscope::widgets {

CardHead::CardHead(const QString& title, const QString& subtitle, QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), subtitle_(new QLabel(subtitle, this)),
      help_(new HelpButton(this)) {
    setTextRole(title_, TextRole::Section);
    subtitle_->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new FlowLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::s);
    auto* gap = new QWidget(this); // the rest stands at the right
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (QWidget* part : std::initializer_list<QWidget*>{title_, help_, subtitle_, gap})
        row->addWidget(part);
    setTitle(title);
}

void CardHead::add(QWidget* control) {
    layout()->addWidget(control);
}

bool CardHead::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        fit();
    return done;
}

void CardHead::fit() {
    int needed = subtitle_->sizeHint().width();
    for (int i = 0; i < layout()->count(); ++i)
        if (const auto* part = layout()->itemAt(i)->widget(); part && part != subtitle_ && !part->isHidden())
            needed += part->sizeHint().width() + layout()->spacing();
    const bool isCut = title_->sizeHint().width() > width();
    title_->setToolTip(isCut ? plainToolTip(title_->text()) : QString());
    const bool fits = needed + 2 * layout()->spacing() <= width();
    if (subtitle_->isHidden() == fits)
        subtitle_->setVisible(fits);
}

void CardHead::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
}

void CardHead::setSubtitle(const QString& subtitle) {
    subtitle_->setText(subtitle);
    fit();
}

void CardHead::setHelp(const QString& words) {
    help_->setWords(words);
    setAccessibleDescription(words);
}

QLabel* headlineLabel(const QString& words, QWidget* parent) {
    auto* label = new QLabel(words, parent);
    setTextRole(label, TextRole::Title);
    return label;
}

QLabel* newPill(QWidget* parent) {
    auto* pill = new QLabel(parent);
    pill->setFrameShape(QFrame::StyledPanel);
    pill->setTextFormat(Qt::PlainText);
    pill->setMargin(space::xs);
    pill->hide();
    return pill;
}

} // namespace headscope::widgets

#include "app/window/frame/card.h"

#include "widgets/controls/help_button.h"
#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/words/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::app {

Card::Card(const QString& title, const QString& help, QWidget* content, QWidget* parent)
    : QWidget(parent), title_(new QToolButton(this)), help_(new widgets::HelpButton(this)),
      note_(new QLabel(this)), content_(content) {
    title_->setAutoRaise(true);
    title_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    title_->setToolTip(tr("Fold or unfold"));
    widgets::setTextRole(title_, widgets::TextRole::Section);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(widgets::space::xs, widgets::space::xs, widgets::space::xs,
                               widgets::space::xs);
    column->setSpacing(0);
    note_->setTextFormat(Qt::PlainText);
    note_->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, widgets::space::s, 0);
    head->addWidget(title_);
    head->addWidget(help_);
    head->addStretch();
    head->addWidget(note_);
    column->addLayout(head);
    column->addWidget(content_, 1);
    connect(title_, &QToolButton::clicked, this, [this] { setOpen(!isOpen()); });
    setTitle(title);
    help_->setWords(help);
    setOpen(true);
}

void Card::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
    title_->setAccessibleName(title);
}

/// A line between cards.
void Card::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), widgets::themeOf(palette()).line);
}

void Card::setNote(const QString& note) {
    whole_ = note;
    showNote();
}

void Card::showNote() {
    const int room = width() - title_->sizeHint().width() - help_->sizeHint().width() - 4 * widgets::space::s;
    note_->setText(note_->fontMetrics().elidedText(whole_, Qt::ElideRight, std::max(0, room)));
    note_->setToolTip(note_->text() == whole_ ? QString() : widgets::plainToolTip(whole_));
}

void Card::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showNote();
}

bool Card::isOpen() const {
    return !content_->isHidden();
}

void Card::setOpen(bool open) {
    title_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    content_->setVisible(open);
    setMaximumHeight(open ? QWIDGETSIZE_MAX : sizeHint().height());
    Q_EMIT changed();
}

} // namespace headscope::app

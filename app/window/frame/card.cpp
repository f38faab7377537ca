#include "app/window/frame/card.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::app {

Card::Card(const QString& title, QWidget* content, QWidget* parent)
    : QWidget(parent), title_(new QToolButton(this)), content_(content) {
    title_->setAutoRaise(true);
    title_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    title_->setToolTip(tr("Fold or unfold"));
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 0);
    column->setSpacing(4);
    column->addWidget(title_);
    column->addWidget(content_, 1);
    connect(title_, &QToolButton::clicked, this, [this] { setOpen(!isOpen()); });
    setTitle(title);
    setOpen(true);
}

void Card::setTitle(const QString& title) {
    title_->setText(title);
    setAccessibleName(title);
    title_->setAccessibleName(title);
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

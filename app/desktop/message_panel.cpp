#include "app/desktop/message_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::app {

namespace {

QLabel* plainLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText); // the text may quote a file
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QToolButton* button(const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setAutoRaise(true);
    return button;
}

} // namespace

MessagePanel::MessagePanel(QWidget* parent) : QFrame(parent) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Message"));
    auto* icon = new QLabel(this);
    const int side = style()->pixelMetric(QStyle::PM_LargeIconSize);
    icon->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(side, side));
    what_ = plainLabel(this);
    QFont bold = what_->font();
    bold.setBold(true);
    what_->setFont(bold);
    rest_ = plainLabel(this);
    details_ = plainLabel(this);
    details_->hide();
    offer_ = button({}, this);
    offer_->setAutoRaise(false);
    connect(offer_, &QToolButton::clicked, this, [this] {
        hide();
        const auto does = does_; // which may show another message
        does();
    });
    showDetails_ = button(tr("Details"), this);
    showDetails_->setCheckable(true);
    connect(showDetails_, &QToolButton::toggled, details_, &QLabel::setVisible);
    auto* copy = button(tr("Copy"), this);
    connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(words()); });
    auto* close = button(tr("Close"), this);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);

    auto* text = new QVBoxLayout;
    text->addWidget(what_);
    text->addWidget(rest_);
    text->addWidget(details_);
    auto* row = new QHBoxLayout(this);
    row->addWidget(icon, 0, Qt::AlignTop);
    row->addLayout(text, 1);
    for (auto* each : {offer_, showDetails_, copy, close})
        row->addWidget(each, 0, Qt::AlignTop);
    hide();
}

void MessagePanel::showRefusal(const trace::RefusalText& text) {
    text_ = text;
    what_->setText(QString::fromStdString(text.what) + ".");
    QStringList lines;
    const auto add = [&](const QString& label, const std::string& part) {
        if (!part.empty())
            lines += tr("%1: %2").arg(label, QString::fromStdString(part));
    };
    add(tr("Where"), text.where);
    add(tr("Expected"), text.expected);
    add(tr("Found"), text.found);
    add(tr("What to do"), text.wayOut);
    rest_->setText(lines.join('\n'));
    details_->setText(QString::fromStdString(text.details));
    showDetails_->setVisible(!text.details.empty());
    showDetails_->setChecked(false);
    offer_->hide();
    show();
}

void MessagePanel::offer(const QString& name, std::function<void()> does) {
    offer_->setText(name);
    does_ = std::move(does);
    offer_->show();
}

void MessagePanel::takeBack(const trace::RefusalText& text) {
    if (trace::paragraph(text) == trace::paragraph(text_))
        hide();
}

QString MessagePanel::words() const {
    QString words = QString::fromStdString(trace::paragraph(text_));
    if (!text_.details.empty())
        words += "\n" + QString::fromStdString(text_.details);
    return words;
}

} // namespace headscope::app

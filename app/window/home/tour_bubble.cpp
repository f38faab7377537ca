#include "app/window/home/tour_bubble.h"

#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"
#include "widgets/drawing/type_scale.h"
#include "widgets/words/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>
#include <QVariantAnimation>

#include <array>

namespace headscope::app {

namespace {

constexpr int around = widgets::space::s;    ///< between the frame and what it surrounds
constexpr int bubbleGap = widgets::space::s; ///< between that and the bubble
constexpr int bubbleWidth = 300;

} // namespace

TourFrame::TourFrame(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    constexpr int period = 1200; // milliseconds
    pulse_ = new QVariantAnimation(this);
    pulse_->setDuration(period);
    pulse_->setLoopCount(-1);
    pulse_->setKeyValues({{0, 1.0}, {0.5, 0.3}, {1, 1.0}});
    connect(pulse_, &QVariantAnimation::valueChanged, this, [this] { update(); });
}

void TourFrame::surround(const QRect& target) {
    setVisible(!target.isEmpty());
    const QRect frame = target.adjusted(-around, -around, around, around).intersected(parentWidget()->rect());
    if (frame != geometry())
        setGeometry(frame);
    raise();
    const bool moves =
        isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) != 0;
    if (moves != (pulse_->state() == QVariantAnimation::Running)) {
        moves ? pulse_->start() : pulse_->stop();
        update();
    }
}

void TourFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor colour = widgets::themeOf(palette()).focus;
    if (pulse_->state() == QVariantAnimation::Running)
        colour.setAlphaF(pulse_->currentValue().toFloat());
    painter.setPen(QPen(colour, 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), around, around);
}

TourBubble::TourBubble(QWidget* window)
    : QFrame(window), number_(new QLabel(this)), words_(new QLabel(this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setAccessibleName(tr("Tour"));
    widgets::setTextRole(number_, widgets::TextRole::Section);
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(widgets::space::m, widgets::space::m, widgets::space::m, widgets::space::m);
    column->setSpacing(widgets::space::s);
    column->addWidget(number_);
    column->addWidget(words_);
    auto* buttons = new QHBoxLayout;
    column->addLayout(buttons);
    back_ = add(tr("Back"), &TourBubble::backChosen);
    end_ = add(tr("End"), &TourBubble::endChosen);
    next_ = add({}, &TourBubble::nextChosen);
    end_->setToolTip(tr("End the tour (Esc)"));
    buttons->addWidget(back_);
    buttons->addWidget(end_);
    buttons->addStretch(1);
    buttons->addWidget(next_);
    hide();
}

QPushButton* TourBubble::add(const QString& text, void (TourBubble::*chosen)()) {
    auto* button = new QPushButton(text, this);
    button->setFocusPolicy(Qt::TabFocus); // a click leaves the keys where they are
    connect(button, &QPushButton::clicked, this, chosen);
    return button;
}

void TourBubble::show(const Step& step) {
    const bool isLast = step.number == step.count;
    number_->setText(tr("Tour: step %1 of %2").arg(step.number).arg(step.count));
    words_->setText(step.words);
    back_->setEnabled(step.number > 1);
    next_->setText(!step.isDone ? tr("Skip") : isLast ? tr("Done") : tr("Next"));
    end_->setVisible(!(isLast && step.isDone));
    QFrame::show();
    setFixedWidth(bubbleWidth * fontMetrics().height() / 16); // wider for larger text
    resize(width(), heightForWidth(width()));
    raise();
    widgets::describeForReaders(this, number_->text() + QStringLiteral(". ") + step.words);
}

void TourBubble::moveTo(const QRect& target) {
    const QRect window = parentWidget()->rect().adjusted(bubbleGap, bubbleGap, -bubbleGap, -bubbleGap);
    const QRect wide =
        target.adjusted(-around - bubbleGap, -around - bubbleGap, around + bubbleGap, around + bubbleGap);
    const QPoint corner = window.bottomRight() - QPoint(width(), height());
    const int x = std::clamp(target.left(), window.left(), std::max(window.left(), corner.x()));
    const int y = std::clamp(target.top(), window.top(), std::max(window.top(), corner.y()));
    const std::array places{QPoint(x, wide.bottom()), QPoint(x, wide.top() - height()),
                            QPoint(wide.right(), y), QPoint(wide.left() - width(), y)};
    for (const QPoint& place : places)
        if (!target.isEmpty() && window.contains(QRect(place, size()))) {
            move(place);
            return;
        }
    move(corner);
}

} // namespace headscope::app

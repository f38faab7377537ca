#include "widgets/tiles/head_squares.h"

#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QAbstractButton>
#include <QGridLayout>
#include <QPainter>

#include <algorithm>

namespace headscope::widgets {

namespace {

constexpr int inARow = 8;

class HeadSquare : public QAbstractButton {
  public:
    HeadSquare(int head, QWidget* parent) : QAbstractButton(parent), head_(head) {
        setCheckable(true);
        setText(QString::number(head));
    }
    QSize sizeHint() const override {
        const int side = fontMetrics().height() + 6;
        const int width = std::max({side, fontMetrics().horizontalAdvance(text()) + 10, space::target});
        return {width, side + 6};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = themeOf(palette());
        const HeadInk ink = inkOfHead(head_, theme);
        const double below = 6;
        const QRectF square = QRectF(rect()).adjusted(1, 1, -1, -1 - below);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(ink.colour, 1.5));
        painter.setBrush(isChecked() ? QBrush(ink.colour) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(square, 3, 3);
        painter.setPen(!isChecked() ? (isEnabled() ? theme.text : theme.faintText)
                       : theme.dark ? theme.onAccent
                                    : theme.background);
        painter.drawText(square, Qt::AlignCenter, text());
        painter.setPen(ink.pen(2));
        const double y = rect().bottom() - 1;
        painter.drawLine(QPointF(square.left(), y), QPointF(square.right(), y));
        if (hasFocus()) {
            painter.setPen(QPen(theme.focus, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(square, 3, 3);
        }
    }

  private:
    int head_;
};

} // namespace

HeadSquares::HeadSquares(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Heads shown as lines"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(space::xs);
}

void HeadSquares::setHeads(int count, const std::vector<int>& shown, int most) {
    while (std::ssize(squares_) > count) {
        delete squares_.back();
        squares_.pop_back();
    }
    while (std::ssize(squares_) < count) {
        const int head = squares_.size();
        auto* square = new HeadSquare(head, this);
        static_cast<QGridLayout*>(layout())->addWidget(square, head / inARow, head % inARow);
        connect(square, &QAbstractButton::clicked, this, [this, head] { Q_EMIT headToggled(head); });
        squares_.push_back(square);
    }
    const bool full = std::ssize(shown) >= most;
    for (int head = 0; head < count; ++head) {
        auto* square = squares_[head];
        const bool on = std::ranges::find(shown, head) != shown.end();
        square->setChecked(on);
        square->setEnabled(on || !full);
        square->setAccessibleName(tr("Head %1").arg(head));
        square->setToolTip(
            square->isEnabled()
                ? (on ? tr("Hide the lines of head %1") : tr("Show the lines of head %1")).arg(head)
                : tr("Show the lines of head %1\nAt most %2 heads at once: hide one first.")
                      .arg(head)
                      .arg(most));
    }
}

} // namespace headscope::widgets

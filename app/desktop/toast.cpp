#include "app/desktop/toast.h"

#include <QEvent>

#include <algorithm>

namespace headscope::app {

namespace {

constexpr int shownFor = 4000;
constexpr int fromEdge = 16;
constexpr int aboveStatus = 44;
constexpr int widest = 420;

} // namespace

Toast::Toast(QWidget* window) : QLabel(window) {
    setObjectName("toast");
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setMargin(10);
    setFrameStyle(QFrame::Box);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    timer_.setSingleShot(true);
    timer_.setInterval(shownFor);
    connect(&timer_, &QTimer::timeout, this, &QWidget::hide);
    window->installEventFilter(this);
}

void Toast::say(const QString& words) {
    setText(words);
    place();
    show();
    raise();
    timer_.start();
}

void Toast::place() {
    const QWidget* window = parentWidget();
    const int oneLine = fontMetrics().horizontalAdvance(text()) + 4 * margin();
    const int width = std::min({widest, oneLine, window->width() - 2 * fromEdge});
    resize(width, heightForWidth(width));
    move(window->width() - width - fromEdge, window->height() - height() - aboveStatus);
}

bool Toast::eventFilter(QObject* window, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QLabel::eventFilter(window, event);
}

} // namespace headscope::app

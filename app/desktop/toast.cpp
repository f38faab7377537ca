#include "app/desktop/toast.h"

#include "widgets/drawing/spacing.h"
#include "widgets/drawing/theme.h"

#include <QAction>
#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace headscope::app {

namespace {

namespace space = widgets::space;

constexpr int shownFor = 4000;
constexpr int offeredFor = 12'000;
constexpr int aboveStatus = 44;
constexpr int widest = 420;

} // namespace

Toast::Toast(QAction* undo, QWidget* window)
    : QFrame(window), undo_(undo), words_(new QLabel(this)), button_(new QPushButton(this)) {
    setObjectName("toast");
    setAccessibleName(tr("Message"));
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    words_->setForegroundRole(QPalette::ToolTipText);
    words_->setAttribute(Qt::WA_TransparentForMouseEvents);
    button_->setFocusPolicy(Qt::NoFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::l, space::m, space::l, space::m);
    row->setSpacing(space::l);
    row->addWidget(words_, 1);
    row->addWidget(button_);
    hide();
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &QWidget::hide);
    connect(button_, &QPushButton::clicked, this, [this] {
        hide();
        does_();
    });
    window->installEventFilter(this);
}

void Toast::say(const QString& words) {
    sayWith(words, {}, {});
}

void Toast::sayDone(const QString& words, const QString& file) {
    if (file.isEmpty())
        return say(words);
    sayWith(words, tr("Show"), [folder = QFileInfo(file).absolutePath()] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
    });
}

void Toast::sayUndoable(const QString& words) {
    sayWith(words, tr("Undo"), [this] { undo_->trigger(); });
}

void Toast::offer(const QString& words, QAction* action) {
    sayWith(words, action->text().remove('&'), [action] { action->trigger(); });
    timer_.start(offeredFor);
}

void Toast::sayWith(const QString& words, const QString& button, std::function<void()> does) {
    words_->setText(words);
    button_->setText(button);
    button_->setVisible(static_cast<bool>(does));
    setAttribute(Qt::WA_TransparentForMouseEvents, !does); // what lies below can be clicked
    does_ = std::move(does);
    place();
    show();
    raise();
    timer_.start(shownFor);
}

QString Toast::words() const {
    return words_->text();
}

void Toast::place() {
    const QWidget* window = parentWidget();
    const int rest = 2 * space::l + (button_->isHidden() ? 0 : button_->sizeHint().width() + space::l);
    const int oneLine = words_->fontMetrics().horizontalAdvance(words_->text()) + rest + space::s;
    const int width = std::min({widest, oneLine, window->width() - 2 * space::l});
    resize(width, layout()->totalHeightForWidth(width));
    const int left = isRightToLeft() ? space::l : window->width() - width - space::l;
    move(left, window->height() - height() - aboveStatus);
}

void Toast::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = widgets::themeOf(palette());
    painter.setPen(theme.dark ? theme.outline : theme.text);
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::cardRadius,
                            space::cardRadius);
}

bool Toast::eventFilter(QObject* window, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(window, event);
}

} // namespace headscope::app

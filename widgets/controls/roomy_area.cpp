#include "widgets/controls/roomy_area.h"

#include <QScrollBar>

namespace headscope::widgets {

namespace {

// Minimum size, in text.
constexpr int leastLines = 4;
constexpr int leastCharacters = 20;

} // namespace

RoomyArea::RoomyArea(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    if (content)
        setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // the content takes the focus
}

QSize RoomyArea::sizeHint() const {
    return widget() ? widget()->sizeHint() : QScrollArea::sizeHint();
}

QSize RoomyArea::minimumSizeHint() const {
    const QSize least(leastCharacters * fontMetrics().averageCharWidth(),
                      leastLines * fontMetrics().height());
    return widget() ? widget()->minimumSizeHint().boundedTo(least) : least;
}

} // namespace headscope::widgets

#include "widgets/controls/tall_area.h"

#include <QScrollBar>

namespace headscope::widgets {

TallArea::TallArea(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // the content takes the focus
    for (QWidget* clear :
         {viewport(), content}) // what is behind paints the background, and says why it is empty
        clear->setAutoFillBackground(false);
}

QSize TallArea::minimumSizeHint() const {
    return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
            4 * fontMetrics().height()};
}

} // namespace headscope::widgets

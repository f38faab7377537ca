#include "widgets/wrapped_label.h"

#include <QLabel>

namespace headscope::widgets {

QLabel* wrappedLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace headscope::widgets

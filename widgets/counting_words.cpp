#include "widgets/counting_words.h"

#include <QCoreApplication>

namespace headscope::widgets {

QString countingInWords() {
    return QCoreApplication::translate(
        "CountingWords",
        "Layers and heads count from 0 in addresses such as cross.2.5, and from 1 in sentences.");
}

} // namespace headscope::widgets

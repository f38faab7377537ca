#include "widgets/counting_words.h"

#include <QCoreApplication>

namespace headscope::widgets {

QString countingInWords() {
    return QCoreApplication::translate(
        "CountingWords",
        "Layers and heads count from 0, as in the address cross.2.5; only what is said to be one \"of\" "
        "so many, such as layer 3 of 3, counts from 1.");
}

} // namespace headscope::widgets

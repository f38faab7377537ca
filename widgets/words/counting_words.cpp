#include "widgets/words/counting_words.h"

#include "widgets/drawing/shown_number.h"

#include <QCoreApplication>
#include <QtMath>

#include <cmath>

namespace headscope::widgets {

QString countingInWords() {
    return QCoreApplication::translate(
        "CountingWords", "Layers, heads, dimensions, positions, rows and columns count from 0, as in the "
                         "address cross.2.5. Steps (such as step 3 of 11) and ranks count from 1.");
}

QString shareInWords(double share) {
    return shownNumber(QCoreApplication::translate("CountingWords", "%1 %").arg(qFloor(100 * share)));
}

QString address(const trace::HeadAddress& head) {
    return QString::fromStdString(trace::toString(head));
}

} // namespace headscope::widgets

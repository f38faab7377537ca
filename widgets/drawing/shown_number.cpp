#include "widgets/drawing/shown_number.h"

#include "widgets/drawing/token_label.h"

#include <QGuiApplication>

namespace headscope::widgets {

QString shownNumber(QString number) {
    number.replace('-', QChar(0x2212));
    const bool hasSigns = !number.isEmpty() && !(number.front().isDigit() && number.back().isDigit());
    return hasSigns && QGuiApplication::isRightToLeft() ? isolated(number) : number;
}

} // namespace headscope::widgets

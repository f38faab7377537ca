#include "widgets/counts_later.h"

#include <QCoreApplication>

#include <cmath>

namespace headscope::widgets {

QString shareInWords(double share) {
    return QCoreApplication::translate("CountsLater", "%1 %").arg(static_cast<int>(std::floor(100 * share)));
}

} // namespace headscope::widgets

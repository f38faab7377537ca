#include "widgets/words/class_title.h"

#include <QCoreApplication>

namespace headscope::widgets {

QString classTitle(const trace::ModelSummary& model, std::size_t chosen) {
    return chosen < model.classLabels.size()
               ? QString::fromStdString(model.classLabels[chosen])
               : QCoreApplication::translate("ClassTitle", "class %1").arg(chosen);
}

} // namespace headscope::widgets

#include "widgets/words/class_title.h"

#include "model/trace/class_label.h"

namespace headscope::widgets {

QString classTitle(const trace::ModelSummary& model, std::size_t chosen) {
    return QString::fromStdString(trace::classLabel(&model, chosen));
}

} // namespace headscope::widgets

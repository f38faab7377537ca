#include "widgets/trace_words.h"

#include <QCoreApplication>

namespace headscope::widgets {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(TraceWords)
};

} // namespace

QString modelTitle(const trace::ModelSummary& model) {
    const QString name = QString::fromStdString(model.name);
    return model.recorded ? Words::tr("%1 (trace)").arg(name) : name;
}

QString whyNothingRuns(const trace::ModelSummary& model) {
    if (!model.recorded)
        return {};
    return Words::tr(
        "A trace is open: one run as it was recorded, without the model's weights. Nothing else "
        "can be decoded, changed or measured with it: open the model that it was recorded from.");
}

} // namespace headscope::widgets

#include "app/training/training_process.h"

namespace headscope::app {

TrainingProcess::TrainingProcess(QObject* parent)
    : CommandProcess({.notStarted = tr("The trainer cannot be started"),
                      .endedFromOutside = tr("The training process was terminated"),
                      .wayOut = tr("resume; the training continues from the last saved state")},
                     parent) {}

void TrainingProcess::start(const QString& configuration) {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OPENBLAS_NUM_THREADS", "1"); // this program's value is meant for decoding
    CommandProcess::start({"train", configuration, "--progress-json"}, environment);
}

bool TrainingProcess::take(const QByteArray& line) {
    const auto report = parseReport(line);
    if (report)
        Q_EMIT reported(*report);
    return report.has_value();
}

} // namespace headscope::app

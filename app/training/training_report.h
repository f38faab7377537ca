#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include "model/trace/training_log.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::app {

/// One line of the trainer's progress.
struct TrainingReport {
    QString message; ///< description of a new phase; then all other members are unset
    std::int64_t steps = 0;
    std::int64_t epoch = 0; ///< from 1
    double tokensPerSecond = 0;
    std::optional<double> secondsLeft;
    trace::TrainingPoint point;
    bool validated = false;
    QString source; ///< of the sample; empty if there is none
    QString output;
};

/// Empty if the line is not a progress line.
std::optional<TrainingReport> parseReport(const QByteArray& line);

/// Returns the points of a training's log; empty if the file does not exist.
std::vector<trace::TrainingPoint> pointsOfLog(const QString& path);

} // namespace headscope::app

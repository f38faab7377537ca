#pragma once

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include "widgets/views/training/training_points.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::app {

/// What the trainer says on one line of its progress.
struct TrainingReport {
    QString message; ///< what begins now; the numbers say nothing then
    std::int64_t steps = 0;
    std::int64_t epoch = 0; ///< from 1
    double tokensPerSecond = 0;
    std::optional<double> secondsLeft;
    widgets::TrainingPoint point;
    bool validated = false;
    QString source; ///< of the sample; empty: none
    QString output;
};

/// Nothing for a line that is no progress.
std::optional<TrainingReport> parseReport(const QByteArray& line);

/// The points of a training's log; none where there is no such file.
std::vector<widgets::TrainingPoint> pointsOfLog(const QString& path);

} // namespace headscope::app

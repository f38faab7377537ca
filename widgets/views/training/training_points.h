#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace headscope::widgets {

/// Where a training stood at a step. NaN: not measured there.
struct TrainingPoint {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    std::int64_t step = 0;
    bool settled = true; ///< as the log has it; else about to be replaced by a later one
    double loss = none;  ///< as it is trained, nats a target token or a text
    double validationLoss = none;
    double accuracy = none;       ///< share of validation tokens or texts, 0 to 1
    double bleu = none;           ///< 0 to 100
    double encoderEntropy = none; ///< mean of a row, bits
    double decoderEntropy = none;
    double crossEntropy = none;
};

/// What is measured, by the names of log.csv's columns.
inline constexpr std::array<std::pair<const char*, double TrainingPoint::*>, 7> trainingColumns{
    {{"loss", &TrainingPoint::loss},
     {"valid_loss", &TrainingPoint::validationLoss},
     {"valid_accuracy", &TrainingPoint::accuracy},
     {"bleu", &TrainingPoint::bleu},
     {"entropy_encoder", &TrainingPoint::encoderEntropy},
     {"entropy_decoder", &TrainingPoint::decoderEntropy},
     {"entropy_cross", &TrainingPoint::crossEntropy}}};

/// Adds what came last. A point that was about to be replaced goes; so do points of the same and later steps,
/// which a training that went back to its last saved state makes again.
void addTrainingPoint(std::vector<TrainingPoint>& points, const TrainingPoint& point);

} // namespace headscope::widgets

#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headscope::trace {

/// Measurements of a training at a step. NaN: not measured.
struct TrainingPoint {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    std::int64_t step = 0;
    bool settled = true; ///< from the log; false: provisional, replaced by the next point
    double loss = none;  ///< the trained objective, nats per target token or per text
    double validationLoss = none;
    double accuracy = none;       ///< fraction of validation tokens or texts, 0 to 1
    double bleu = none;           ///< 0 to 100
    double encoderEntropy = none; ///< mean over rows, bits
    double decoderEntropy = none;
    double crossEntropy = none;
};

/// The columns of log.csv and their members.
inline constexpr std::array<std::pair<const char*, double TrainingPoint::*>, 7> trainingColumns{
    {{"loss", &TrainingPoint::loss},
     {"valid_loss", &TrainingPoint::validationLoss},
     {"valid_accuracy", &TrainingPoint::accuracy},
     {"bleu", &TrainingPoint::bleu},
     {"entropy_encoder", &TrainingPoint::encoderEntropy},
     {"entropy_decoder", &TrainingPoint::decoderEntropy},
     {"entropy_cross", &TrainingPoint::crossEntropy}}};

/// Appends a point. Removes a provisional last point, and points of the same and later steps, which a
/// training that resumed from its last saved state repeats.
void addTrainingPoint(std::vector<TrainingPoint>& points, const TrainingPoint& point);

/// A training as its log tells.
struct TrainingLog {
    std::string name; ///< of the trained model
    std::string path; ///< of the file with the points; empty: there is none
    std::vector<TrainingPoint> points;
};

/// Derives the name of a trained model from the path of its log: "copy" from copy.training/log.csv and from
/// copy/log.csv.
std::string trainingName(const std::filesystem::path& log);

} // namespace headscope::trace

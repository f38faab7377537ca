#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace headscope::training {

/// How spread attention is, each kind of it that the network has: bits.
struct AttentionEntropies {
    std::optional<double> encoder;
    std::optional<double> decoder;
    std::optional<double> cross;
};

struct Validation {
    double loss = 0;            ///< of a target token, or of a text, natural logarithm
    double accuracy = 0;        ///< share of tokens, or of texts, whose answer was the most probable one
    bool best = false;          ///< so far
    std::optional<double> bleu; ///< 0 to 100, where it was asked for
    AttentionEntropies entropy;
};

/// What the model makes of a sentence.
struct Sample {
    std::string source;
    std::string output;
};

/// Where a training stands.
struct TrainingProgress {
    std::int64_t step = 0;
    std::int64_t steps = 0;
    std::int64_t epoch = 0;
    double loss = 0;            ///< of a target token, smoothed as it is trained, since the log's last line
    double tokensPerSecond = 0; ///< of the target, or of labelled texts, since the last report
    double learningRate = 0;
    double secondsLeft = 0;
    bool logged = false; ///< the log has a line of it
    std::optional<Validation> validation; ///< where one was made since the last report
    std::optional<Sample> sample;
    std::string message; ///< what begins now; the numbers say nothing then
};

using ReportProgress = std::function<void(const TrainingProgress&)>;

struct TrainingSummary {
    std::int64_t step = 0;
    std::filesystem::path model;
    std::optional<Validation> validation; ///< of what was written
    bool stoppedEarly = false;            ///< no validation was better for as long as was asked for
};

} // namespace headscope::training

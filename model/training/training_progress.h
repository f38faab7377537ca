#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace headscope::training {

/// Mean attention entropy per kind of attention, in bits; nullopt for kinds that the network does not have.
struct AttentionEntropies {
    std::optional<double> encoder;
    std::optional<double> decoder;
    std::optional<double> cross;
};

struct Validation {
    double loss = 0;            ///< per target token or text, natural logarithm
    double accuracy = 0;        ///< share of tokens or texts predicted correctly
    bool best = false;          ///< best validation so far
    std::optional<double> bleu; ///< 0 to 100; nullopt if not requested
    AttentionEntropies entropy;
};

/// Sample translation.
struct Sample {
    std::string source;
    std::string output;
};

/// State of a running training.
struct TrainingProgress {
    std::int64_t step = 0;
    std::int64_t steps = 0;
    std::int64_t epoch = 0;
    double loss = 0;            ///< with label smoothing, per target token, since the log's last line
    double tokensPerSecond = 0; ///< target tokens, or tokens of labelled texts, since the last report
    double learningRate = 0;
    double secondsLeft = 0;
    bool logged = false;                  ///< true if written to the log
    std::optional<Validation> validation; ///< set if one was made since the last report
    std::optional<Sample> sample;
    std::string message; ///< description of the next phase; if not empty, the numbers are not set
};

using ReportProgress = std::function<void(const TrainingProgress&)>;

struct TrainingSummary {
    std::int64_t step = 0;
    std::filesystem::path model;
    std::optional<Validation> validation; ///< of the written model
    bool stoppedEarly = false;            ///< ended because validations did not improve
};

} // namespace headscope::training

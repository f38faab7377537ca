#pragma once

#include "model/corpus/parallel_corpus.h"
#include "model/engine/engine.h"
#include "model/training/training_progress.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::engine {

struct TrainerOptions {
    std::vector<std::filesystem::path> familyFolders;
    std::string device = "auto"; ///< cpu or auto, both the CPU
    int threads = 0;             ///< 0: number of hardware threads
};

/// Mean loss over a corpus.
struct CorpusLoss {
    double loss = 0; ///< per target token, natural logarithm
    std::size_t tokens = 0;
    double accuracy = 0;
    std::size_t leftOut = 0; ///< pairs skipped because one side is empty or longer than the model's positions
};

/// Trains models and measures their loss on text. Part of the engine's module. Errors are trace::Refusal.
class Trainer {
  public:
    virtual ~Trainer() = default;

    /// Trains the model described by a configuration (resources/manual/training.md), resuming stopped
    /// training, and writes its folder. Throws trace::Cancelled after saving everything.
    virtual training::TrainingSummary train(const std::filesystem::path& configuration, std::stop_token stop,
                                            const training::ReportProgress& report) = 0;

    /// Throws trace::Refusal that lists the lines whose source the model cannot read: those without tokens,
    /// or with more than the model's positions when `padding` is included.
    virtual void refuseUnreadable(const ModelSource& model,
                                  const std::vector<corpus::ReferencedSource>& sources, int padding,
                                  std::stop_token stop) = 0;

    /// Measures the loss on sentences with known translations or labels. Returns nullopt if the network is
    /// not one that can be trained. Throws trace::Refusal if no sentence is left to measure.
    virtual std::optional<CorpusLoss>
    loss(const ModelSource& model, const std::vector<corpus::TextPair>& pairs, std::stop_token stop) = 0;
};

/// Exported by the module as `headscopeMakeTrainer`. Never returns null; throws trace::Refusal.
using MakeTrainer = std::unique_ptr<Trainer> (*)(const TrainerOptions& options);
inline constexpr const char* makeTrainerSymbol = "headscopeMakeTrainer";

} // namespace headscope::engine

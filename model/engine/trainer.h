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
    std::string device = "auto"; ///< cpu, cuda or auto
    int threads = 0;             ///< 0: the processor's
};

/// Mean over a corpus.
struct CorpusLoss {
    double loss = 0; ///< of a target token, natural logarithm
    std::size_t tokens = 0;
    double accuracy = 0;
    std::size_t leftOut = 0; ///< pairs with an empty side, or longer than the model's positions
};

/// Trains models, and measures them on text. Lives in the engine's module; errors are trace::Refusal.
class Trainer {
  public:
    virtual ~Trainer() = default;

    /// Trains what a configuration (resources/manual/training.md) describes, from where it was stopped if it was, and
    /// writes its model folder. Throws trace::Cancelled, after everything was saved.
    virtual training::TrainingSummary train(const std::filesystem::path& configuration, std::stop_token stop,
                                            const training::ReportProgress& report) = 0;

    /// Throws trace::Refusal that names the lines whose source a model cannot read: one without tokens, or
    /// with more than its positions together with `padding`.
    virtual void refuseUnreadable(const ModelSource& model,
                                  const std::vector<corpus::ReferencedSource>& sources, int padding,
                                  std::stop_token stop) = 0;

    /// What a model makes of sentences whose translations, or labels, are known. Nothing of a network that is
    /// not one of those that can be trained. Throws trace::Refusal where nothing is left to measure on.
    virtual std::optional<CorpusLoss>
    loss(const ModelSource& model, const std::vector<corpus::TextPair>& pairs, std::stop_token stop) = 0;
};

/// Exported by the module under the name `headscopeMakeTrainer`. Never null; throws trace::Refusal.
using MakeTrainer = std::unique_ptr<Trainer> (*)(const TrainerOptions& options);
inline constexpr const char* makeTrainerSymbol = "headscopeMakeTrainer";

} // namespace headscope::engine

#pragma once

#include "model/engine/trainer.h"

namespace headscope::engine {

/// Trainer with LibTorch: on the processor with loops of its own, on CUDA with LibTorch's operators.
class LibtorchTrainer : public Trainer {
  public:
    explicit LibtorchTrainer(TrainerOptions options);

    training::TrainingSummary train(const std::filesystem::path& configuration, std::stop_token stop,
                                    const training::ReportProgress& report) override;
    void refuseUnreadable(const ModelSource& model, const std::vector<corpus::ReferencedSource>& sources,
                          int padding, std::stop_token stop) override;
    std::optional<CorpusLoss> loss(const ModelSource& model, const std::vector<corpus::TextPair>& pairs,
                                   std::stop_token stop) override;

  private:
    int threads() const;

    TrainerOptions options_;
};

} // namespace headscope::engine

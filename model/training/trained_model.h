#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/settings.h"
#include "model/network/transformer.h"
#include "model/training/flat_parameters.h"
#include "model/training/training_progress.h"
#include "model/training/vocabulary_files.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::training {

/// The network that a configuration describes, as it is shown, and what is written beside its parameters.
class TrainedModel {
  public:
    /// `labels` of a classifier's corpus, by their class. Throws trace::Refusal.
    TrainedModel(const TrainingConfig& config, const checkpoint::Family& family, TrainedVocabulary vocabulary,
                 const std::vector<std::string>& labels);

    const network::Transformer& network() const { return network_; }
    const FlatParameters& parameters() const { return parameters_; }
    const TrainedVocabulary& vocabulary() const { return vocabulary_; }

    /// Writes a model folder with these parameters.
    void write(const at::Tensor& parameters, const std::filesystem::path& folder, bool halfPrecision) const;

    /// What the network with these parameters makes of a sentence, greedily.
    std::string translate(const at::Tensor& parameters, const std::string& sentence) const;

  private:
    const TrainingConfig& config_;
    checkpoint::Family family_;
    TrainedVocabulary vocabulary_;
    checkpoint::Settings settings_;
    network::Transformer network_;
    FlatParameters parameters_;
};

} // namespace headscope::training

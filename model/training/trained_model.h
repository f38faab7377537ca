#pragma once

#include "model/checkpoint/family.h"
#include "model/checkpoint/settings.h"
#include "model/network/transformer.h"
#include "model/training/encoded_corpus.h"
#include "model/training/flat_parameters.h"
#include "model/training/training_progress.h"
#include "model/training/vocabulary_files.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::training {

/// Throws trace::Refusal for a network that cannot be, or not be trained for this task, whatever the corpus
/// holds: before it is read.
void refuseImpossibleNetwork(const TrainingConfig& config, const checkpoint::Family& family);

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

    /// Adds to a validation what is measured in the network as it is shown: entropies over the first of
    /// `corpus`, and BLEU of what it makes of `sources`, where there are any. Throws trace::Cancelled.
    void measure(const at::Tensor& parameters, const EncodedCorpus& corpus,
                 const std::vector<corpus::ReferencedSource>& sources, const std::stop_token& stop,
                 Validation& validation) const;

  private:
    void fill(const at::Tensor& parameters) const;
    std::string translate(const std::string& sentence) const;

    const TrainingConfig& config_;
    checkpoint::Family family_;
    TrainedVocabulary vocabulary_;
    checkpoint::Settings settings_;
    network::Transformer network_;
    FlatParameters parameters_;
};

} // namespace headscope::training

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

/// Throws trace::Refusal for an invalid network, or one that cannot be trained for this task. Called before
/// the corpus is read, so it checks only what does not depend on it.
void refuseImpossibleNetwork(const TrainingConfig& config, const checkpoint::Family& family);

/// The network described by a configuration, in inference form, and the other contents of its model folder.
class TrainedModel {
  public:
    /// `labels` of a classifier's corpus, indexed by class. Throws trace::Refusal.
    TrainedModel(const TrainingConfig& config, const checkpoint::Family& family, TrainedVocabulary vocabulary,
                 const std::vector<std::string>& labels);

    const network::Transformer& network() const { return network_; }
    const FlatParameters& parameters() const { return parameters_; }
    const TrainedVocabulary& vocabulary() const { return vocabulary_; }

    /// Writes a model folder with the given parameters.
    void write(const at::Tensor& parameters, const std::filesystem::path& folder, bool halfPrecision) const;

    /// Translates a sentence greedily with the given parameters.
    std::string translate(const at::Tensor& parameters, const std::string& sentence) const;

    /// Adds measurements of the inference network to `validation`: entropies over the first examples of
    /// `corpus`, and BLEU of the translations of `sources` if there are any. Throws trace::Cancelled.
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

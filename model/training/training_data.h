#pragma once

#include "model/corpus/parallel_corpus.h"
#include "model/training/encoded_corpus.h"
#include "model/training/training_config.h"
#include "model/training/vocabulary_files.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope::training {

/// Training data as text.
struct TrainingTexts {
    std::vector<corpus::TextPair> train;
    std::vector<corpus::TextPair> valid; ///< may be empty
    std::vector<std::string> labels;     ///< for classifiers, indexed by class
};
/// Reads the files, or generates the sentences of a toy task. Throws trace::Refusal, trace::Cancelled.
TrainingTexts readTrainingTexts(const TrainingConfig& config, const std::stop_token& stop);

/// Training data as ids.
struct TrainingData {
    EncodedCorpus training;
    EncodedCorpus validation;
    std::vector<std::string> samples;                  ///< sentences translated as samples
    std::vector<corpus::ReferencedSource> bleuSources; ///< translated at each validation
};
/// Throws trace::Refusal if nothing is left to train on; trace::Cancelled.
TrainingData encodeTrainingTexts(const TrainingConfig& config, const TrainingTexts& texts,
                                 const TrainedVocabulary& vocabulary, const std::stop_token& stop);

} // namespace headscope::training

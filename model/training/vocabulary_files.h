#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/corpus/parallel_corpus.h"
#include "model/text/tokenizer.h"
#include "model/training/training_config.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace headscope::training {

/// A tokenizer and everything that a model folder needs to open it again.
struct TrainedVocabulary {
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::vector<checkpoint::TokenizerFile> files;
    checkpoint::Settings settings; ///< special ids, and how words are split
    std::int64_t pad = 0;
    std::int64_t start = 2;
    std::int64_t end = 3;
};

/// Creates the vocabulary of a corpus in config.state, or reopens the one that an earlier start made from the
/// same input. Throws trace::Refusal, also if a saved state was trained with another vocabulary;
/// trace::Cancelled.
TrainedVocabulary prepareVocabulary(const TrainingConfig& config, const std::vector<corpus::TextPair>& pairs,
                                    int threads, std::stop_token stop);

} // namespace headscope::training

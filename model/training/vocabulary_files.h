#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/checkpoint/settings.h"
#include "model/corpus/parallel_corpus.h"
#include "model/text/tokenizer.h"
#include "model/training/training_config.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::training {

/// A tokenizer and what a model folder needs to open it again.
struct TrainedVocabulary {
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::vector<checkpoint::TokenizerFile> files;
    checkpoint::Settings settings; ///< special ids, and how words are split
    std::int64_t pad = 0;
    std::int64_t start = 2;
    std::int64_t end = 3;
};

/// Makes the vocabulary of a corpus, or opens what an earlier start made; its files lie in config.state.
/// Throws trace::Refusal.
TrainedVocabulary prepareVocabulary(const TrainingConfig& config, const std::vector<corpus::TextPair>& pairs,
                                    int threads);

} // namespace headscope::training

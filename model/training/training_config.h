#pragma once

#include "model/corpus/batches.h"
#include "model/corpus/toy_corpus.h"
#include "model/training/schedule.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::training {

enum class Task { Translate, Classify, Copy, Reverse };

struct CorpusConfig {
    Task task = Task::Translate;
    std::filesystem::path train; ///< not used by toy tasks
    std::optional<std::filesystem::path> valid;
    std::int64_t longest = 60; ///< maximum tokens of a sentence; longer ones are left out, texts cut
    bool swap = false;         ///< translate from the second column into the first
    corpus::ToyCorpus toy;
    std::int64_t validSentences = 1000; ///< maximum
    /// Every n-th distinct source is held out for validation; 0: none.
    std::int64_t validEvery = 0;
};

struct VocabularyConfig {
    std::string kind = "unigram"; ///< or "bpe", "words"
    std::int64_t size = 8000;     ///< maximum, special tokens included
    bool shared = true;
    std::int64_t minimumCount = 1;             ///< minimum count of a word
    std::string splitting = "white_space";     ///< how words are split; or "basic_english"
    std::optional<std::filesystem::path> file; ///< existing SentencePiece model
};

struct OptimizerConfig {
    bool decoupledDecay = false; ///< AdamW
    double beta1 = 0.9;
    double beta2 = 0.98;
    double epsilon = 1e-9;
    double weightDecay = 0;
    double clip = 1; ///< maximum norm of the gradient; 0: no clipping
};

struct AveragingConfig {
    std::int64_t checkpoints = 0; ///< number of checkpoints averaged for the model; 0 or 1: none
    std::int64_t every = 500;     ///< steps between checkpoints
};

struct SnapshotConfig {
    std::optional<std::filesystem::path> folder;
    std::vector<std::int64_t> steps; ///< in ascending order
    std::int64_t every = 0;          ///< every n steps; 0: only `steps`
};

/// One training as described by its configuration file.
struct TrainingConfig {
    std::string where; ///< path of the configuration file
    CorpusConfig corpus;
    VocabularyConfig vocabulary;
    std::string family = "headscope";
    std::map<std::string, std::string> network; ///< settings of the network, as in a config.json

    corpus::BatchOptions batches;
    std::int64_t accumulate = 1; ///< batches per step
    std::int64_t steps = 10'000;
    bool roundedProducts = false; ///< products in bfloat16
    double dropout = 0.1;
    double labelSmoothing = 0.1;
    bool causalMask = true;
    std::uint64_t seed = 1;
    std::int64_t parts = 0; ///< parts of a batch computed in parallel; 0: number of threads

    Schedule schedule;
    OptimizerConfig optimizer;
    AveragingConfig averaging;
    SnapshotConfig snapshots;
    std::int64_t validateEvery = 500; ///< steps between validations
    std::int64_t bleuSentences = 0;   ///< sources translated at each validation; 0: none
    std::int64_t patience = 0;        ///< validations without improvement that end the training; 0: no limit
    double saveSeconds = 45; ///< seconds between saves; a kill loses at most this plus one step or validation

    std::filesystem::path model; ///< output folder
    std::filesystem::path state; ///< folder of the state from which a stopped training resumes
    bool halfPrecision = false;  ///< store the model in half precision
    std::optional<std::filesystem::path> attribution; ///< copied to the model folder
    std::string sourceLanguage;
    std::string targetLanguage;
    std::vector<std::string> samples; ///< sentences translated as samples; empty: from the validation corpus

    bool isToy() const { return corpus.task == Task::Copy || corpus.task == Task::Reverse; }
    bool classifies() const { return corpus.task == Task::Classify; }
};

/// Reads a configuration. Paths in it are relative to its own folder. Throws one trace::Refusal that lists
/// every unknown, missing or invalid key.
TrainingConfig readTrainingConfig(const std::filesystem::path& path);
TrainingConfig parseTrainingConfig(std::string_view json, const std::filesystem::path& path);

} // namespace headscope::training

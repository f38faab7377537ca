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
    std::filesystem::path train; ///< not for a toy task
    std::optional<std::filesystem::path> valid;
    std::int64_t longest = 60; ///< tokens of a sentence; longer ones are left out, texts cut
    bool swap = false;         ///< from the second column into the first
    corpus::ToyCorpus toy;
    std::int64_t validSentences = 1000; ///< at most
    std::int64_t validEvery =
        0; ///< the so many-th source each is kept from training, for validation; 0: none
};

struct VocabularyConfig {
    std::string kind = "unigram"; ///< or "bpe", "words"
    std::int64_t size = 8000;     ///< at most, special tokens included
    bool shared = true;
    std::int64_t minimumCount = 1;             ///< of a word
    std::string splitting = "white_space";     ///< of words, or "basic_english"
    std::optional<std::filesystem::path> file; ///< a SentencePiece model that is there already
};

struct OptimizerConfig {
    bool decoupledDecay = false; ///< AdamW
    double beta1 = 0.9;
    double beta2 = 0.98;
    double epsilon = 1e-9;
    double weightDecay = 0;
    double clip = 1; ///< largest norm of the gradient; 0: none
};

struct AveragingConfig {
    std::int64_t checkpoints = 0; ///< of which the mean is written in the end; 0 or 1: the last alone
    std::int64_t every = 500;     ///< steps
};

struct SnapshotConfig {
    std::optional<std::filesystem::path> folder;
    std::vector<std::int64_t> steps; ///< in their order
    std::int64_t every = 0;          ///< 0: only the steps named
};

/// One training, as its file says.
struct TrainingConfig {
    std::string where; ///< the file
    CorpusConfig corpus;
    VocabularyConfig vocabulary;
    std::string family = "headscope";
    std::map<std::string, std::string> network; ///< settings of the network, as in a config.json

    corpus::BatchOptions batches;
    std::int64_t accumulate = 1; ///< batches a step
    std::int64_t steps = 10'000;
    std::optional<bool> roundedProducts; ///< of bfloat16 numbers; none: on a graphics card
    double dropout = 0.1;
    double labelSmoothing = 0.1;
    bool causalMask = true;
    std::uint64_t seed = 1;
    std::int64_t parts = 0; ///< of a batch that are computed side by side; 0: as many as threads

    Schedule schedule;
    OptimizerConfig optimizer;
    AveragingConfig averaging;
    SnapshotConfig snapshots;
    std::int64_t validateEvery = 500; ///< steps
    std::int64_t bleuSentences = 0;   ///< sources translated at each validation; 0: none
    std::int64_t patience = 0;        ///< validations without a better one that end the training; 0: none do
    double saveSeconds = 45;          ///< and a step, or a validation: what a kill costs at most

    std::filesystem::path model;                      ///< the folder that is written
    std::filesystem::path state;                      ///< where a training that was stopped goes on from
    bool halfPrecision = false;                       ///< of the model's file
    std::optional<std::filesystem::path> attribution; ///< of the corpus, kept beside the model
    std::string sourceLanguage;
    std::string targetLanguage;
    std::vector<std::string> samples; ///< sentences to translate now and then; none: of the validation corpus

    bool isToy() const { return corpus.task == Task::Copy || corpus.task == Task::Reverse; }
    bool classifies() const { return corpus.task == Task::Classify; }
};

/// Reads a configuration; paths in it start at its own folder. Throws one trace::Refusal that lists every key
/// that is unknown, missing or impossible.
TrainingConfig readTrainingConfig(const std::filesystem::path& path);
TrainingConfig parseTrainingConfig(std::string_view json, const std::filesystem::path& path);

} // namespace headscope::training

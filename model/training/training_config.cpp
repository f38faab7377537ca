#include "model/training/training_config.h"

#include "model/checkpoint/settings.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"
#include "model/training/config_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headscope::training {

namespace {

using nlohmann::json;

constexpr std::int64_t many = 1'000'000'000;

/// Model settings that are determined by the training itself.
constexpr std::array<std::string_view, 11> notOfNetwork{
    "tokenizer",  "source_vocabulary", "target_vocabulary", "start_id",        "end_id",    "pad_id",
    "unknown_id", "source_prefix",     "source_suffix",     "label_smoothing", "generation"};

/// Reads the objects of the file one after another.
class Reader {
  public:
    Reader(const json& root, const std::filesystem::path& path) : root_(root), folder_(path.parent_path()) {
        config_.where = path.string();
    }

    TrainingConfig read() {
        ConfigReader top(root_, "", folder_, findings_);
        readCorpus(top.member("corpus"));
        readVocabulary(top.member("vocabulary"));
        readNetwork(top.member("network"));
        readTraining(top.member("training"));
        readSchedule(top.member("schedule"));
        readOptimizer(top.member("optimizer"));
        readSnapshots(top.member("snapshots"));
        readOutput(top);
        top.refuseUnknown();
        if (!findings_.empty())
            throw trace::Refusal({.what = "The configuration cannot be used",
                                  .where = config_.where,
                                  .expected = "the keys that the manual page training.md lists",
                                  .found = findings_.text(),
                                  .wayOut = "mend these keys and start again"});
        return std::move(config_);
    }

  private:
    void readCorpus(const json& object) {
        ConfigReader reader(object, "corpus.", folder_, findings_);
        auto& corpus = config_.corpus;
        corpus.task =
            static_cast<Task>(reader.choose("task", {"translate", "classify", "copy", "reverse"}, 0));
        reader.read("train", corpus.train);
        reader.read("valid", corpus.valid);
        reader.read("valid_sentences", corpus.validSentences, 1, many);
        if (config_.classifies())
            corpus.longest = 200;
        reader.read("longest", corpus.longest, 1, 100'000);
        reader.read("swap", corpus.swap);
        reader.read("valid_every", corpus.validEvery, 2, many);
        if (corpus.validEvery > 0 && (corpus.valid || config_.isToy()))
            reader.refuse("valid_every", "nothing: there is a validation corpus already",
                          std::to_string(corpus.validEvery));
        if (config_.isToy())
            readToy(reader);
        else if (corpus.train.empty())
            reader.refuse("train", "a file's path", "nothing");
        reader.refuseUnknown();
    }

    void readToy(ConfigReader& reader) {
        auto& toy = config_.corpus.toy;
        toy.task = config_.corpus.task == Task::Copy ? corpus::ToyTask::Copy : corpus::ToyTask::Reverse;
        reader.read("words", toy.words, 1, 100'000);
        reader.read("shortest_sentence", toy.shortest, 1, 10'000);
        reader.read("longest_sentence", toy.longest, 1, 10'000);
        reader.read("sentences", toy.sentences, 1, 10'000'000);
        reader.read("seed", toy.seed);
        if (toy.longest < toy.shortest)
            reader.refuse("longest_sentence", "at least shortest_sentence", std::to_string(toy.longest));
        if (reader.has("train") || reader.has("valid"))
            reader.refuse("train", "no files: the task makes its own sentences", "a path");
    }

    void readVocabulary(const json& object) {
        ConfigReader reader(object, "vocabulary.", folder_, findings_);
        auto& vocabulary = config_.vocabulary;
        const std::vector<std::string> kinds{"unigram", "bpe", "words"};
        vocabulary.kind = kinds[reader.choose("kind", kinds, config_.isToy() ? 2 : 0)];
        reader.read("size", vocabulary.size, 5, 1'000'000);
        reader.read("shared", vocabulary.shared);
        reader.read("minimum_count", vocabulary.minimumCount, 1, many);
        const std::vector<std::string> splittings{"white_space", "basic_english"};
        vocabulary.splitting = splittings[reader.choose("splitting", splittings, 0)];
        reader.read("file", vocabulary.file);
        if (vocabulary.file && (vocabulary.kind == "words" || !vocabulary.shared))
            reader.refuse("file", "one SentencePiece model for both languages", "words, or two vocabularies");
        reader.refuseUnknown();
    }

    void readNetwork(const json& object) {
        ConfigReader reader(object, "network.", folder_, findings_);
        if (!object.is_object() || object.empty())
            return reader.refuse("", "layers, widths and heads", "nothing");
        for (const auto& [key, value] : object.items()) {
            const bool isText = value.is_string();
            if (key == "family" && isText)
                config_.family = value.get<std::string>();
            else if (!checkpoint::Settings::isKnown(key))
                reader.refuse(key, "a setting of a model", "no such setting");
            else if (std::ranges::find(notOfNetwork, key) != notOfNetwork.end())
                reader.refuse(key, "nothing: what is trained decides it", "a value");
            else if (value.is_boolean())
                config_.network[key] = value.get<bool>() ? "yes" : "no";
            else if (isText || value.is_number())
                config_.network[key] = isText ? value.get<std::string>() : value.dump();
            else
                reader.refuse(key, "a number or a word", "something else");
        }
    }

    void readTraining(const json& object) {
        ConfigReader reader(object, "training.", folder_, findings_);
        reader.read("steps", config_.steps, 1, many);
        std::int64_t tokens = static_cast<std::int64_t>(config_.batches.tokens);
        std::int64_t pool = static_cast<std::int64_t>(config_.batches.pool);
        reader.read("batch_tokens", tokens, 1, 10'000'000);
        reader.read("pool", pool, 1, many);
        config_.batches = {.tokens = static_cast<std::size_t>(tokens),
                           .pool = static_cast<std::size_t>(pool)};
        reader.read("accumulate", config_.accumulate, 1, 10'000);
        config_.roundedProducts = reader.choose("products", {"auto", "float32", "bfloat16"}, 0) == 2;
        reader.read("dropout", config_.dropout, 0, 0.9);
        config_.labelSmoothing = config_.classifies() ? 0 : 0.1;
        reader.read("label_smoothing", config_.labelSmoothing, 0, 0.9);
        reader.read("causal_mask", config_.causalMask);
        reader.read("seed", config_.seed);
        reader.read("parts", config_.parts, 0, 1024);
        reader.read("validate_every", config_.validateEvery, 1, many);
        reader.read("patience", config_.patience, 0, many);
        reader.read("bleu_sentences", config_.bleuSentences, 0, many);
        if (config_.classifies() && config_.bleuSentences > 0)
            reader.refuse("bleu_sentences", "0: a classifier translates nothing",
                          std::to_string(config_.bleuSentences));
        const bool validates = config_.corpus.valid || config_.corpus.validEvery > 0 || config_.isToy();
        for (const auto& [key, value] :
             {std::pair("patience", config_.patience), std::pair("bleu_sentences", config_.bleuSentences)})
            if (value > 0 && !validates)
                reader.refuse(key, "0, because corpus.valid names no file", std::to_string(value));
        reader.read("save_seconds", config_.saveSeconds, 0, 60);
        reader.read("average", config_.averaging.checkpoints, 0, 1000);
        reader.read("average_every", config_.averaging.every, 1, many);
        reader.read("samples", config_.samples);
        reader.refuseUnknown();
    }

    void readSchedule(const json& object) {
        ConfigReader reader(object, "schedule.", folder_, findings_);
        auto& schedule = config_.schedule;
        schedule.kind = static_cast<ScheduleKind>(
            reader.choose("kind", {"constant", "linear", "inverse-sqrt", "noam"}, 2));
        schedule.rate = schedule.kind == ScheduleKind::Noam ? 1 : 1e-3;
        reader.read("rate", schedule.rate, 0, 1000);
        reader.read("final_rate", schedule.finalRate, 0, 1000);
        reader.read("warm_up", schedule.warmUp, 1, many);
        schedule.steps = config_.steps;
        reader.refuseUnknown();
    }

    void readOptimizer(const json& object) {
        ConfigReader reader(object, "optimizer.", folder_, findings_);
        auto& optimizer = config_.optimizer;
        optimizer.decoupledDecay = reader.choose("kind", {"adam", "adamw"}, 0) == 1;
        optimizer.weightDecay = optimizer.decoupledDecay ? 0.01 : 0;
        reader.read("beta1", optimizer.beta1, 0, 0.9999999);
        reader.read("beta2", optimizer.beta2, 0, 0.9999999);
        reader.read("epsilon", optimizer.epsilon, 1e-30, 1);
        reader.read("weight_decay", optimizer.weightDecay, 0, 1);
        reader.read("clip", optimizer.clip, 0, 1e9);
        reader.refuseUnknown();
    }

    void readSnapshots(const json& object) {
        ConfigReader reader(object, "snapshots.", folder_, findings_);
        auto& snapshots = config_.snapshots;
        reader.read("folder", snapshots.folder);
        reader.read("steps", snapshots.steps);
        reader.read("every", snapshots.every, 1, many);
        if (!object.is_null() && !snapshots.folder)
            reader.refuse("folder", "a folder's path", "nothing");
        if (snapshots.folder && snapshots.steps.empty() && snapshots.every == 0)
            reader.refuse("steps", "steps, or every so many with snapshots.every", "neither");
        std::ranges::sort(snapshots.steps);
        reader.refuseUnknown();
    }

    void readOutput(ConfigReader& top) {
        top.read("model", config_.model);
        if (config_.model.empty())
            top.refuse("model", "the path of the folder to write", "nothing");
        if (!config_.model.has_filename()) // "folder/"
            config_.model = config_.model.parent_path();
        config_.state = config_.model;
        config_.state += ".training";
        top.read("state", config_.state);
        config_.halfPrecision = top.choose("precision", {"f32", "f16"}, 0) == 1;
        top.read("attribution", config_.attribution);
        top.read("source_language", config_.sourceLanguage);
        top.read("target_language", config_.targetLanguage);
    }

    const json& root_;
    std::filesystem::path folder_;
    files::Findings findings_;
    TrainingConfig config_;
};

} // namespace

TrainingConfig parseTrainingConfig(std::string_view text, const std::filesystem::path& path) {
    const auto root = files::parseJson(text, path.string());
    return Reader(root, path).read();
}

TrainingConfig readTrainingConfig(const std::filesystem::path& path) {
    return parseTrainingConfig(files::readText(path), path);
}

} // namespace headscope::training

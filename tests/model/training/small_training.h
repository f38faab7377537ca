#pragma once

#include "model/files/atomic_file.h"
#include "model/files/read_file.h"
#include "model/trace/refusal.h"
#include "model/training/training_run.h"
#include "tests/new_file.h"

#include <QTemporaryDir>

#include <filesystem>
#include <regex>

/// Trainings that take a few seconds.
namespace small_training {

using namespace headscope::training;
using headscope::checkpoint::loadFamilies;
using headscope::trace::Cancelled;
using headscope::trace::Refusal;

inline headscope::checkpoint::Family family(const std::string& key) {
    std::vector<headscope::trace::RefusalText> broken;
    const auto families = loadFamilies({std::string(HEADSCOPE_SOURCE) + "/resources/families"}, broken);
    return *std::ranges::find(families, key, &headscope::checkpoint::Family::key);
}

/// A small training that uses everything that has to be saved.
inline TrainingConfig copying(const QTemporaryDir& folder, const std::string& name) {
    TrainingConfig config;
    config.where = "config.json";
    config.corpus.task = Task::Copy;
    config.corpus.toy.sentences = 600;
    config.corpus.validSentences = 40;
    config.vocabulary.kind = "words";
    config.network = {
        {"encoder_layers", "1"}, {"model_width", "16"}, {"heads", "2"}, {"maximum_positions", "61"}};
    config.batches = {.tokens = 100, .pool = 50};
    config.accumulate = 2;
    config.steps = 120;
    config.parts = 2;
    config.dropout = 0.2;
    config.schedule = {.kind = ScheduleKind::Linear, .rate = 3e-3, .warmUp = 20, .steps = 120};
    config.averaging = {.checkpoints = 3, .every = 20};
    config.validateEvery = 40;
    config.patience = 100;
    config.model = folder.filePath(QString::fromStdString(name)).toStdString();
    config.state = config.model.string() + ".training";
    return config;
}

/// Texts of two classes that differ in a word in the middle.
inline TrainingConfig classifying(const QTemporaryDir& folder, const std::string& name) {
    std::string text;
    for (int i = 0; i < 600; ++i)
        text += std::string(i % 2 ? "good" : "bad") + "\tfilm " + std::to_string(i % 7) +
                (i % 2 ? " wonderful " : " awful ") + std::to_string(i % 11) + "\n";
    auto config = copying(folder, name);
    config.corpus.task = Task::Classify;
    config.corpus.train = folder.filePath("labelled.tsv").toStdString();
    config.corpus.valid = config.corpus.train;
    headscope::files::saveAtomically(headscope::tests::newFile(config.corpus.train), text);
    config.family = "imdb-classifier";
    config.averaging.checkpoints = 0;
    config.labelSmoothing = 0;
    return config;
}

inline TrainingSummary run(const TrainingConfig& config, int threads = 1, std::stop_token stop = {},
                           ReportProgress report = {}, const std::string& familyKey = "headscope") {
    for (const auto& folder : {config.state, config.model})
        headscope::tests::asForAnotherProcess(folder); // as if each training ran in its own process
    return TrainingRun(config, family(familyKey),
                       {.threads = threads, .stop = stop, .report = std::move(report)})
        .run();
}

/// Empty if the training succeeds.
inline headscope::trace::RefusalText refusalOf(const TrainingConfig& config,
                                               const std::string& familyKey = "headscope") {
    try {
        run(config, 1, {}, {}, familyKey);
    } catch (const Refusal& refusal) {
        return refusal.text();
    }
    return {};
}

inline std::string bytes(const std::filesystem::path& path) {
    return headscope::files::readText(path);
}

/// The log without the columns that depend on the clock.
inline std::string logOf(const TrainingConfig& config) {
    return std::regex_replace(bytes(config.state / "log.csv"),
                              std::regex("\n([^,]*,[^,]*,[^,]*,[^,]*),[^,]*,([^,]*),[^,]*,"), "\n$1,$2,");
}

} // namespace small_training

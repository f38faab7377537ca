#pragma once

#include <QJsonObject>
#include <QString>

#include "model/trace/refusal.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::app {

enum class TrainingTask { Pairs, Texts, Copy, Reverse, Configuration };
enum class TrainingSize { Small, Medium, Large };

/// The network to train, and how.
struct TrainingNumbers {
    int encoderLayers = 2;
    int decoderLayers = 2; ///< ignored for texts, which an encoder alone classifies
    int width = 128;       ///< d_model, a multiple of `heads`
    int feedForward = 512;
    int heads = 4;
    bool normFirst = true;    ///< in every sublayer, instead of after it
    bool hasSinusoids = true; ///< instead of a learned table of positions
    int vocabulary = 2000;    ///< pieces at most; a toy has its words
    int batchTokens = 1500;
    double rate = 0.0015; ///< the highest
    int warmUp = 200;     ///< steps until it is reached

    friend bool operator==(const TrainingNumbers&, const TrainingNumbers&) = default;
};
/// Those of a usual training of this many steps.
TrainingNumbers usualNumbers(TrainingTask task, TrainingSize size, int steps);

/// A training as chosen by the user.
struct TrainingPlan {
    TrainingTask task = TrainingTask::Pairs;
    QString file;       ///< corpus or configuration
    QString validation; ///< validation file; if empty, a part of the corpus is held out
    TrainingNumbers numbers = {};
    int steps = 2000;
    bool snapshots = false; ///< keep snapshots of the model during training
    QString name;           ///< of the model and its configuration
    QString folder;         ///< output folder of both

    bool isToy() const { return task == TrainingTask::Copy || task == TrainingTask::Reverse; }
    bool isConfigured() const { return task == TrainingTask::Configuration; }
    /// Path of the configuration, which need not exist.
    QString configuration() const;
    friend bool operator==(const TrainingPlan&, const TrainingPlan&) = default;
};

/// Every n-th source, or line of texts, is held out for validation if there is no validation file.
inline constexpr int validationEvery = 20;

/// Returns the usual number of steps of such a training.
int usualSteps(TrainingTask task, TrainingSize size);

/// Returns the configuration in the syntax of resources/manual/training.md.
QJsonObject configurationOf(const TrainingPlan& plan);

/// Writes the configuration unless an equal one exists. Returns an error if its name is taken or on failure.
std::optional<trace::RefusalText> writeConfiguration(const TrainingPlan& plan);

/// The output folders of a configuration; empty if it cannot be read.
struct TrainingFolders {
    QString model;
    QString state;
    QString snapshots;                            ///< empty if no snapshots are kept
    std::vector<std::int64_t> snapshotSteps = {}; ///< planned, as listed in the configuration
    QString log() const { return state + "/log.csv"; }
    QString stateFile() const { return state + "/state.safetensors"; }
    /// Whether a complete model exists.
    bool hasModel() const;
    /// Whether there are snapshots that open as a series.
    bool hasSeries() const;
    /// Whether there is a saved state from which the training can be resumed.
    bool hasState() const;
};
TrainingFolders foldersOf(const QString& configuration);

/// Whether the name is taken by a different model, which the trainer could not resume with this plan.
bool isTaken(const TrainingPlan& plan);
/// Whether training this plan resumes an earlier training.
bool resumes(const TrainingPlan& plan);

/// Returns why a training cannot be resumed because it has finished; empty if it can.
QString whyAtEnd(const TrainingPlan& plan);

/// Returns the equivalent command.
QString trainCommand(const QString& configuration);

} // namespace headscope::app

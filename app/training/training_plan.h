#pragma once

#include <QJsonObject>
#include <QString>

#include "model/trace/refusal.h"

#include <optional>

namespace headscope::app {

enum class TrainingTask { Pairs, Texts, Copy, Reverse, Configuration };
enum class TrainingSize { Small, Medium, Large };

/// A training as chosen by the user.
struct TrainingPlan {
    TrainingTask task = TrainingTask::Pairs;
    QString file;       ///< corpus or configuration
    QString validation; ///< validation file; if empty, a part of the corpus is held out
    TrainingSize size = TrainingSize::Small;
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
/// Describes a network size: "2 + 2 layers of 4 heads, d_model 128, ...".
QString sizeInWords(TrainingTask task, TrainingSize size);

/// Returns the configuration in the syntax of resources/manual/training.md.
QJsonObject configurationOf(const TrainingPlan& plan);

/// Writes the configuration unless an equal one exists. Returns an error if its name is taken or on failure.
std::optional<trace::RefusalText> writeConfiguration(const TrainingPlan& plan);

/// The output folders of a configuration; empty if it cannot be read.
struct TrainingFolders {
    QString model;
    QString state;
    QString snapshots; ///< empty if no snapshots are kept
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
bool report(const TrainingPlan& plan);

/// Returns why a training cannot be resumed because it has finished; empty if it can.
QString whyAtEnd(const TrainingPlan& plan);

/// Returns the equivalent command.
QString trainCommand(const QString& configuration);

} // namespace headscope::app

#pragma once

#include <QJsonObject>
#include <QString>

#include "model/trace/refusal.h"

#include <optional>

namespace headscope::app {

enum class TrainingTask { Pairs, Texts, Copy, Reverse, Configuration };
enum class TrainingSize { Small, Medium, Large };

/// What a person wants to be trained.
struct TrainingPlan {
    TrainingTask task = TrainingTask::Pairs;
    QString file;       ///< of the corpus, or the configuration
    QString validation; ///< file; empty: a part of the corpus is kept for it
    TrainingSize size = TrainingSize::Small;
    int steps = 2000;
    bool snapshots = false; ///< of the model on its way, for the slider over its training
    QString name;           ///< of the model and its configuration
    QString folder;         ///< that they are written to

    bool isToy() const { return task == TrainingTask::Copy || task == TrainingTask::Reverse; }
    bool isConfigured() const { return task == TrainingTask::Configuration; }
    /// The path of its configuration, written or not.
    QString configuration() const;
    friend bool operator==(const TrainingPlan&, const TrainingPlan&) = default;
};

/// Sources, or lines of texts, of which one is kept for validation where there is no file for it.
inline constexpr int validationEvery = 20;

/// As many steps as such a training usually needs.
int usualSteps(TrainingTask task, TrainingSize size);
/// "2 + 2 layers, d_model 128, ..."
QString sizeInWords(TrainingTask task, TrainingSize size);

/// The configuration in the syntax of resources/manual/training.md.
QJsonObject configurationOf(const TrainingPlan& plan);

/// Writes it, where it is not there yet; not where the name is taken. Says what is wrong.
std::optional<trace::RefusalText> writeConfiguration(const TrainingPlan& plan);

/// What a configuration writes to; empty where it cannot be read.
struct TrainingFolders {
    QString model;
    QString state;
    QString snapshots; ///< empty: none are kept
    QString log() const { return state + "/log.csv"; }
    QString stateFile() const { return state + "/state.safetensors"; }
    /// A model that can be opened is there.
    bool hasModel() const;
    /// Snapshots that open as one model with a slider are there.
    bool hasSeries() const;
    /// The training has begun, and goes on from here.
    bool hasState() const;
};
TrainingFolders foldersOf(const QString& configuration);

/// Whether the name is taken by another model: the trainer would not go on with this one.
bool isTaken(const TrainingPlan& plan);
/// Whether training it means going on from where it was.
bool report(const TrainingPlan& plan);

/// Why a training that has begun does not go on, because it has come to its end; empty where it does.
QString whyAtEnd(const TrainingPlan& plan);

/// The command that trains the same.
QString trainCommand(const QString& configuration);

} // namespace headscope::app

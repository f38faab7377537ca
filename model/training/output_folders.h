#pragma once

#include "model/files/file_descriptor.h"
#include "model/training/training_config.h"
#include "model/training/vocabulary_files.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace headscope::training {

/// The folders of a training that do not exist yet, to be removed if the training is refused before it
/// begins.
class NewFolders {
  public:
    /// Finds the missing folders. Call before any is created.
    explicit NewFolders(const TrainingConfig& config);
    /// Runs `work`. If it throws trace::Refusal, removes the new folders and their new parent folders, and
    /// rethrows. Requires the lock of the state folder.
    void removeIfRefused(const std::function<void()>& work) const;

  private:
    void remove() const;

    std::vector<std::vector<std::filesystem::path>> folders_; ///< each followed by its new parent folders
};

/// Creates the state folder. Throws trace::Refusal if output folders conflict or a file to be copied to the
/// model folder is missing.
void prepareStateFolder(const TrainingConfig& config);

/// Locks the state folder against other trainings for the lifetime of the returned object. Throws
/// trace::Refusal if another training holds the lock.
files::FileDescriptor lockStateFolder(const TrainingConfig& config);

/// Creates the folders of model and snapshots. Throws trace::Refusal for a folder to which the model could
/// not be written later.
void prepareModelFolders(const TrainingConfig& config, const TrainedVocabulary& vocabulary);

} // namespace headscope::training

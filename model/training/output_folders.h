#pragma once

#include "model/files/file_descriptor.h"
#include "model/training/training_config.h"
#include "model/training/vocabulary_files.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace headscope::training {

/// The folders of a training that are not there yet, for one that is refused before it begins.
class NewFolders {
  public:
    /// Looks for them; called before any is made.
    explicit NewFolders(const TrainingConfig& config);
    /// Works, and where that throws trace::Refusal, what was made of them goes again, with the folders above
    /// that were made for it. Only by whoever holds the lock of the state.
    void removeIfRefused(const std::function<void()>& work) const;

  private:
    void remove() const;

    std::vector<std::vector<std::filesystem::path>> folders_; ///< each with the new ones above it
};

/// Makes the folder of the state. Throws trace::Refusal for folders that would get in each other's way, and
/// for what is to be copied beside the model and is not there.
void prepareStateFolder(const TrainingConfig& config);

/// Keeps another training out of the folder of the state for as long as what is returned is there. Throws
/// trace::Refusal where one is at work in it.
files::FileDescriptor lockStateFolder(const TrainingConfig& config);

/// Makes the folders of the model and the snapshots. Throws trace::Refusal for one that the model could not
/// be written to in the end.
void prepareModelFolders(const TrainingConfig& config, const TrainedVocabulary& vocabulary);

} // namespace headscope::training

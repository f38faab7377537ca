#pragma once

#include <filesystem>

namespace headscope::files {

/// What a command uses a file for. An output never replaces a file that the process has read in another role:
/// a model, corpus or trace may be the user's only copy.
enum class FileRole {
    Input,         ///< weights, configurations, tokenizers, corpora, traces, sentences
    Output,        ///< written by a command and never read by it
    Session,       ///< opened and saved under the same name
    ModelSettings, ///< `headscope.json` beside weights
    Training,      ///< written by a training run and read again when it resumes
};

/// Records that the process reads an open file. The file is identified by device, inode and time of birth:
/// its name may change or have several links, and an inode is reused once its file is gone.
void rememberRead(int descriptor, FileRole role);

/// Throws trace::Refusal if `path` leads to a file that was read in a role other than `role`.
void refuseToReplaceWhatWasRead(const std::filesystem::path& path, FileRole role);

} // namespace headscope::files

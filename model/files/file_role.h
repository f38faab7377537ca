#pragma once

#include <filesystem>

namespace headscope::files {

/// What a file is to the command that reads or writes it. An output never replaces a file that the process
/// has read as something else: a model, a corpus and a trace are the only copy that a person has.
enum class FileRole {
    Input,         ///< weights, configurations, tokenizers, corpora, traces, sentences
    Output,        ///< what a command writes; read by nobody
    Session,       ///< opened and saved under the same name
    ModelSettings, ///< `headscope.json` beside weights
    Training,      ///< what a training writes and reads again when it is resumed
};

/// Remembers that the process reads an open file, whatever its name and however many links lead to it: by
/// device, inode and time of birth, because an inode is used again once its file is gone.
void rememberRead(int descriptor, FileRole role);

/// Throws trace::Refusal if `path` leads to a file that was read as something other than `role`.
void refuseToReplaceWhatWasRead(const std::filesystem::path& path, FileRole role);

} // namespace headscope::files

#pragma once

#include "model/checkpoint/model_folder.h"
#include "model/text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace headscope::engine {

struct OpenedTokenizer {
    std::unique_ptr<text::Tokenizer> tokenizer;   ///< null: the model takes ids only
    std::filesystem::path vocabulary;             ///< the file that decides the ids
    std::vector<checkpoint::TokenizerFile> files; ///< all that it needs
    /// Rows of an embedding that no piece has: some programs round them up to a multiple that is fast.
    std::int64_t spareRows = 0;
};

/// The tokenizer of a model: word lists if the settings name one as `source_vocabulary` (then `tokenizer`
/// says how words are split: `white_space`, which is the default, or `basic_english`); else the SentencePiece
/// model that `tokenizer` names; else what lies in the folder: Marian's vocab.json, source.spm and
/// target.spm, or spm.model. Throws trace::Refusal.
OpenedTokenizer openTokenizer(const checkpoint::ModelFolder& folder, const checkpoint::Settings& settings);

} // namespace headscope::engine

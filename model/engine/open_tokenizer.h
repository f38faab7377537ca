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
    std::filesystem::path vocabulary;             ///< file that determines the ids
    std::vector<checkpoint::TokenizerFile> files; ///< all files of the tokenizer
    /// Maximum number of embedding rows without a token: some programs round the row count up to a multiple
    /// that is fast.
    std::int64_t spareRows = 0;
};

/// Opens the tokenizer of a model: word lists if the settings name one as `source_vocabulary` (`tokenizer`
/// then selects how words are split: `white_space`, the default, or `basic_english`); else what `tokenizer`
/// names: a SentencePiece model, nanoGPT's meta.pkl, or Hugging Face's files or their folder; else the files
/// in the folder: Marian's vocab.json, source.spm and target.spm, spm.model, tokenizer.json or the older
/// files of Hugging Face, meta.pkl. A regular expression as `tokenizer_pattern` splits the text that word
/// lists and Hugging Face's vocabularies are looked up with. A decoder of `targetRows` tokens that attends to
/// a source may have files of its own in a folder decoder_tokenizer, or in the one of `target_vocabulary`.
/// Throws trace::Refusal.
OpenedTokenizer openTokenizer(const checkpoint::ModelFolder& folder, const checkpoint::Settings& settings,
                              std::int64_t targetRows);

} // namespace headscope::engine

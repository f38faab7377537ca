#pragma once

#include "model/text/tokenizer.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace headscope::text {

/// The tokenizer files of a Marian model as Hugging Face's `transformers` lays them out.
struct MarianFiles {
    std::filesystem::path sourcePieces; ///< source.spm
    std::filesystem::path targetPieces; ///< target.spm
    std::filesystem::path vocabulary;   ///< vocab.json, piece -> id; both languages' unless the next is there
    std::optional<std::filesystem::path> targetVocabulary; ///< target_vocab.json
};

/// Splits as MarianTokenizer does: a leading ">>...<<" is one token, "</s>", "<unk>" and "<pad>" in the text
/// stand for themselves, the rest is cut by SentencePiece, and the ids come from the vocabulary; a piece that
/// it lacks is unknown and keeps its spelling. The end token that follows a sentence is not added. decode()
/// joins with target.spm and leaves "</s>", "<unk>" and "<pad>" out. Throws trace::Refusal.
std::unique_ptr<Tokenizer> openMarianTokenizer(const MarianFiles& files);

} // namespace headscope::text

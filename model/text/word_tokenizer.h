#pragma once

#include "model/text/hugging_face/pattern.h"
#include "model/text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::text {

enum class WordSplitting {
    WhiteSpace,
    BasicEnglish, ///< torchtext's tokenizer of that name
};

/// The vocabularies of a word-level model: each what torch.save made of torchtext's classes
/// (readPickledVocabularies()), which the content tells, or a text: an object from words to ids (.json,
/// .yml), fairseq's dict.LANGUAGE.txt, else one word a line (readWordList()).
struct WordFiles {
    std::filesystem::path source;
    std::optional<std::filesystem::path>
        target; ///< none: the second vocabulary of `source`, else its only one
    WordSplitting splitting = WordSplitting::WhiteSpace;
    std::optional<Pattern>
        pattern{}; ///< each match is a word; text between them is unknown. In place of `splitting`
    std::optional<std::int64_t>
        unknown; ///< none: what the file says, else the word <unk> or [UNK], if it has one
    std::vector<std::int64_t> controls{}; ///< ids that decode() leaves out
};

/// A word that the vocabulary lacks keeps its spelling and gets the unknown id; it is refused if there is
/// none. decode() puts a space between words, but nothing between matches of a pattern. Throws
/// trace::Refusal.
std::unique_ptr<Tokenizer> openWordTokenizer(const WordFiles& files);

} // namespace headscope::text

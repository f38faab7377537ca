#include "model/text/word_tokenizer.h"

#include "model/files/findings.h"
#include "model/text/pickled_vocabulary.h"
#include "model/text/piece_vocabulary.h"
#include "model/text/split_words.h"
#include "model/text/typed_text.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <utility>

namespace headscope::text {

namespace {

using trace::Refusal;
using trace::Token;
using trace::TokenRole;

/// One language: its words, and the id of all others.
struct WordSide {
    PieceVocabulary words;
    std::optional<std::int64_t> unknown;
    bool usesPattern = false;     ///< splits text by the pattern
    bool isWithoutSpaces = false; ///< the pattern finds its words again where nothing is between them
};

/// Whether a pattern splits most neighbours of a list, `together` words with nothing between them, into the
/// same words.
bool splitsMost(const std::vector<std::string>& words, std::size_t together, const Pattern& pattern) {
    constexpr std::size_t mostWords = 1000; // enough to tell
    std::size_t all = 0, same = 0;
    for (std::size_t at = 0; at + together <= std::min(words.size(), mostWords); ++at, ++all) {
        std::string text;
        for (std::size_t i = at; i < at + together; ++i)
            text += words[i];
        const auto split = splitByPattern(text, pattern);
        same += std::equal(split.begin(), split.end(), words.begin() + at, words.begin() + at + together,
                           [](const Word& word, const std::string& text) { return word.text == text; });
    }
    return 2 * same > all;
}

/// `given` wins over `stated`, what the file says itself.
WordSide sideOf(PieceVocabulary words, std::optional<std::int64_t> given, std::optional<std::int64_t> stated,
                const std::string& where) {
    auto unknown = given ? given : stated ? stated : words.id("<unk>");
    if (!unknown)
        unknown = words.id("[UNK]");
    if (unknown && !words.holds(*unknown))
        throw Refusal({.what = "The unknown word has an id that the vocabulary lacks",
                       .where = where,
                       .expected = "an id from 0 to " + std::to_string(words.size() - 1),
                       .found = std::to_string(*unknown),
                       .wayOut = "give --unknown-id with the id of the unknown word"});
    return {std::move(words), unknown};
}

/// The form of a text is that of its name.
PieceVocabulary readWords(const std::filesystem::path& path) {
    if (path.extension() == ".yml" || path.extension() == ".json")
        return readJsonVocabulary(path);
    const bool isOfFairseq =
        path.filename().string().starts_with("dict.") && path.extension() == ".txt" && path.stem() != "dict";
    return isOfFairseq ? readFairseqDictionary(path) : readWordList(path);
}

/// The one or two vocabularies of a file.
std::vector<WordSide> readSides(const std::filesystem::path& path, std::optional<std::int64_t> unknown) {
    const std::string where = path.string();
    std::vector<WordSide> sides;
    if (!isPickledVocabulary(path)) {
        sides.push_back(sideOf(readWords(path), unknown, std::nullopt, where));
        return sides;
    }
    for (auto& pickled : readPickledVocabularies(path))
        sides.push_back(sideOf({std::move(pickled.words), where}, unknown, pickled.unknown, where));
    return sides;
}

class WordTokenizer : public Tokenizer {
  public:
    explicit WordTokenizer(const WordFiles& files)
        : splitting_(files.splitting), pattern_(files.pattern), controls_(files.controls),
          sides_(readSides(files.source, files.unknown)) {
        if (files.target) {
            auto target = readSides(*files.target, files.unknown);
            sides_.resize(1, sides_.front());
            sides_.push_back(std::move(target.back()));
        }
        if (!pattern_)
            return;
        for (auto& side : sides_) { // the target may be words, such as the numbers of residues
            side.usesPattern = &side == &sides_.front() || splitsMost(side.words.pieces(), 1, *pattern_);
            side.isWithoutSpaces = splitsMost(side.words.pieces(), 2, *pattern_);
        }
    }

    std::vector<Token> encode(std::string_view text) const override { return encode(text, source()); }
    std::vector<Token> encodeTarget(std::string_view text) const override { return encode(text, target()); }

    std::string decode(std::span<const std::int64_t> ids) const override {
        std::string text;
        for (const auto id : ids)
            if (target().words.holds(id) && std::ranges::find(controls_, id) == controls_.end())
                text += (text.empty() || target().isWithoutSpaces ? "" : " ") + target().words.piece(id);
        return text;
    }

    std::string piece(std::int64_t id) const override { return source().words.piece(id); }
    std::string targetPiece(std::int64_t id) const override { return target().words.piece(id); }
    std::int64_t size() const override { return source().words.size(); }
    std::int64_t targetSize() const override { return target().words.size(); }

    std::string description() const override {
        const std::string own = sides_.size() > 1 ? " and " + std::to_string(targetSize()) : "";
        return std::string("words, split ") +
               (pattern_                                  ? "by a pattern"
                : splitting_ == WordSplitting::WhiteSpace ? "at white space"
                                                          : "as basic_english does") +
               ", " + std::to_string(size()) + own + " of them";
    }

  private:
    const WordSide& source() const { return sides_.front(); }
    const WordSide& target() const { return sides_.back(); }

    std::vector<Word> split(std::string_view text, const WordSide& side) const {
        return side.usesPattern                          ? splitByPattern(text, *pattern_)
               : splitting_ == WordSplitting::WhiteSpace ? splitWhiteSpace(text)
                                                         : splitBasicEnglish(text);
    }

    std::vector<Token> encode(std::string_view text, const WordSide& side) const {
        refuseUnlessUtf8(text);
        std::vector<Token> tokens;
        for (auto& word : split(text, side)) {
            const auto id = word.isUnknown ? std::nullopt : side.words.id(word.text);
            if (!id && !side.unknown)
                throw Refusal({.what = "The sentence has a word that the model does not know",
                               .where = "the sentence, byte " + std::to_string(word.range.begin),
                               .expected = "words of the vocabulary",
                               .found = "\"" + files::printable(word.text) + "\"",
                               .wayOut = "give --unknown-id, or use other words"});
            const auto role = id && id != side.unknown ? TokenRole::Text : TokenRole::Unknown;
            tokens.push_back({id ? *id : *side.unknown, std::move(word.text), role, word.range});
        }
        return tokens;
    }

    WordSplitting splitting_;
    std::optional<Pattern> pattern_;
    std::vector<std::int64_t> controls_;
    std::vector<WordSide> sides_; ///< one, or source and target
};

} // namespace

std::unique_ptr<Tokenizer> openWordTokenizer(const WordFiles& files) {
    return std::make_unique<WordTokenizer>(files);
}

} // namespace headscope::text

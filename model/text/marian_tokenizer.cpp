#include "model/text/marian_tokenizer.h"

#include "model/text/piece_vocabulary.h"
#include "model/text/sentence_piece.h"
#include "model/text/typed_text.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace headscope::text {

namespace {

using trace::Token;
using trace::TokenRole;

struct Special {
    std::string_view piece;
    TokenRole role;
};
constexpr std::array<Special, 3> specials{
    {{"</s>", TokenRole::End}, {"<unk>", TokenRole::Unknown}, {"<pad>", TokenRole::Padding}}};

/// The length of a ">>...<<" that the text starts with; 0 if it does not.
std::size_t languageCodeLength(std::string_view text) {
    const auto end = text.starts_with(">>") ? text.find("<<") : text.npos;
    return end == text.npos ? 0 : end + 2;
}

bool isLanguageCode(std::string_view piece) {
    return piece.size() > 4 && languageCodeLength(piece) == piece.size();
}

/// One language: how its text is cut, and the ids of the pieces.
class MarianSide {
  public:
    MarianSide(const SentencePieceModel& model, const PieceVocabulary& vocabulary, std::int64_t unknown)
        : model_(model), vocabulary_(vocabulary), unknown_(unknown) {}

    std::vector<Token> encode(std::string_view text) const {
        refuseUnlessUtf8(text); // a language code does not pass SentencePiece, which refuses the rest
        std::vector<Token> tokens;
        std::size_t done = 0;
        while (done < text.size()) {
            const auto [at, special] = nextSpecial(text, done);
            addText(tokens, text, done, at);
            if (special) {
                const std::string piece(special->piece);
                const trace::ByteRange range{at, at + piece.size()};
                tokens.push_back({*vocabulary_.id(piece), piece, special->role, range});
            }
            done = at + (special ? special->piece.size() : 0);
        }
        return tokens;
    }

  private:
    std::pair<std::size_t, const Special*> nextSpecial(std::string_view text, std::size_t from) const {
        std::pair<std::size_t, const Special*> next{text.size(), nullptr};
        for (const auto& special : specials)
            if (const auto at = text.find(special.piece, from);
                at < next.first && vocabulary_.id(std::string(special.piece)))
                next = {at, &special};
        return next;
    }

    /// What stands between special tokens is a text of its own, language code included.
    void addText(std::vector<Token>& tokens, std::string_view text, std::size_t begin,
                 std::size_t end) const {
        const auto code = languageCodeLength(text.substr(begin, end - begin));
        if (code > 0)
            add(tokens, std::string(text.substr(begin, code)), {begin, begin + code});
        begin += code;
        for (auto& token : model_.encode(text.substr(begin, end - begin)))
            add(tokens, std::move(token.piece), {begin + token.range->begin, begin + token.range->end});
    }

    void add(std::vector<Token>& tokens, std::string piece, trace::ByteRange range) const {
        const auto id = vocabulary_.id(piece);
        const auto role = id && *id != unknown_ ? TokenRole::Text : TokenRole::Unknown;
        tokens.push_back({id.value_or(unknown_), std::move(piece), role, range});
    }

    const SentencePieceModel& model_;
    const PieceVocabulary& vocabulary_;
    std::int64_t unknown_;
};

class MarianTokenizer : public Tokenizer {
  public:
    explicit MarianTokenizer(const MarianFiles& files)
        : sourceModel_(openSentencePiece(files.sourcePieces)),
          targetModel_(openSentencePiece(files.targetPieces)),
          vocabulary_(readJsonVocabulary(files.vocabulary)),
          ownTarget_(files.targetVocabulary ? std::optional(readJsonVocabulary(*files.targetVocabulary))
                                            : std::nullopt),
          unknown_(unknownId(vocabulary_, files.vocabulary)),
          targetUnknown_(ownTarget_ ? unknownId(*ownTarget_, *files.targetVocabulary) : unknown_) {}

    std::vector<Token> encode(std::string_view text) const override {
        return MarianSide(*sourceModel_, vocabulary_, unknown_).encode(text);
    }
    std::vector<Token> encodeTarget(std::string_view text) const override {
        return MarianSide(*targetModel_, target(), targetUnknown_).encode(text);
    }

    std::string decode(std::span<const std::int64_t> ids) const override {
        std::vector<std::string> pieces;
        for (const auto id : ids)
            if (target().holds(id) && !isSpecialPiece(target().piece(id)))
                pieces.push_back(target().piece(id));
        return withoutMarks(targetModel_->join(pieces));
    }

    std::string piece(std::int64_t id) const override { return vocabulary_.piece(id); }
    std::string targetPiece(std::int64_t id) const override { return target().piece(id); }
    std::int64_t size() const override { return vocabulary_.size(); }
    std::int64_t targetSize() const override { return target().size(); }

    std::vector<std::string> languages() const override {
        std::vector<std::string> codes;
        std::ranges::copy_if(vocabulary_.pieces(), std::back_inserter(codes), isLanguageCode);
        return codes;
    }

    std::string description() const override {
        const std::string own = ownTarget_ ? " and " + std::to_string(ownTarget_->size()) : "";
        return "Marian (SentencePiece and a vocabulary), " + std::to_string(size()) + own + " pieces";
    }

  private:
    const PieceVocabulary& target() const { return ownTarget_ ? *ownTarget_ : vocabulary_; }

    static std::int64_t unknownId(const PieceVocabulary& vocabulary, const std::filesystem::path& path) {
        if (const auto id = vocabulary.id("<unk>"))
            return *id;
        throw trace::Refusal({.what = "This is no vocabulary of a Marian model",
                              .where = path.string(),
                              .expected = "the piece <unk>",
                              .found = "none of that name in " + std::to_string(vocabulary.size()),
                              .wayOut = "copy vocab.json from where the model was trained again"});
    }

    static bool isSpecialPiece(std::string_view piece) {
        return std::ranges::any_of(specials, [&](const Special& special) { return special.piece == piece; });
    }

    /// Pieces of the source alone are none of target.spm, which leaves their marks where words begin.
    static std::string withoutMarks(std::string text) {
        for (auto at = text.find(trace::spaceMark); at != text.npos; at = text.find(trace::spaceMark, at))
            text.replace(at, trace::spaceMark.size(), " ");
        const auto first = text.find_first_not_of(' ');
        return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
    }

    std::unique_ptr<SentencePieceModel> sourceModel_;
    std::unique_ptr<SentencePieceModel> targetModel_;
    PieceVocabulary vocabulary_;
    std::optional<PieceVocabulary> ownTarget_;
    std::int64_t unknown_;
    std::int64_t targetUnknown_;
};

} // namespace

std::unique_ptr<Tokenizer> openMarianTokenizer(const MarianFiles& files) {
    return std::make_unique<MarianTokenizer>(files);
}

} // namespace headscope::text

#pragma once

#include "model/trace/token.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::text {

/// What a model is to read: a text, or two of them.
struct TypedInput {
    std::string_view text;
    std::optional<std::string_view> second{};
    std::string_view language{}; ///< code of both; empty: the tokenizer's default. Ignored if it has none
};

/// Where a token of a model's input comes from.
enum class InputPart {
    Added, ///< by the tokenizer, such as "[CLS]"
    First,
    Second,
};

/// One or two texts as a model reads them, with the special tokens around. All lists have one entry per
/// token.
struct ModelInput {
    std::vector<trace::Token> tokens; ///< a range lies in the text that `parts` names
    std::vector<InputPart> parts;
    std::vector<std::int64_t> segments; ///< token types, the rows of a segment embedding
};

/// The ids of tokens that have a role; none where the tokenizer has no such token.
struct SpecialTokens {
    std::optional<std::int64_t> start;
    std::optional<std::int64_t> end;
    std::optional<std::int64_t> padding;
    std::optional<std::int64_t> unknown;
    std::optional<std::int64_t> mask;
    std::optional<std::int64_t> classification; ///< "[CLS]"
    std::optional<std::int64_t> separator;      ///< "[SEP]"
};

struct Language {
    std::string code;    ///< as the model's files write it: "de_DE", "deu_Latn", "de"
    std::int64_t id = 0; ///< of the token that stands for it
};

/// Where the token of the target's language is.
enum class TargetLanguage {
    FirstInput,  ///< of the decoder
    FirstOutput, ///< of the decoder
    AfterEnd,    ///< behind the end token of a given text; a decoder that writes itself still begins with it
};

/// The languages that a model translates between and has a token for.
struct LanguageTokens {
    std::vector<Language> all; ///< by id
    std::string source;        ///< code of the default
    std::string target;        ///< the same; empty: the files name none
    TargetLanguage place = TargetLanguage::FirstOutput;
};

/// Turns a sentence into the ids a model was trained on, and back.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// The pieces of a source sentence (UTF-8) with their byte ranges in it; nothing is added around them.
    /// Refuses text that is no UTF-8 (trace::Refusal), as does encodeTarget().
    virtual std::vector<trace::Token> encode(std::string_view text) const = 0;
    /// The same for a sentence of the target language, where that is split in another way.
    virtual std::vector<trace::Token> encodeTarget(std::string_view text) const { return encode(text); }
    /// Texts with the special tokens that the tokenizer's files put around them; nothing if they do not say.
    /// Refuses text that is no UTF-8, and an unknown language (trace::Refusal).
    virtual std::optional<ModelInput> framed(const TypedInput&) const { return std::nullopt; }
    /// The text of target ids; control tokens vanish.
    virtual std::string decode(std::span<const std::int64_t> ids) const = 0;
    /// How the source's vocabulary spells an id, UTF-8; "#7" for an id outside it.
    virtual std::string piece(std::int64_t id) const = 0;
    /// The same for the target's vocabulary.
    virtual std::string targetPiece(std::int64_t id) const { return piece(id); }
    /// How many ids the source has. Added tokens may lie behind the rows of a model.
    virtual std::int64_t size() const = 0;
    virtual std::int64_t targetSize() const { return size(); }
    /// The pieces that name a target language when they stand first (">>de<<"), in the order of their ids.
    virtual std::vector<std::string> languages() const { return {}; }
    /// The languages of a model that has a token for each, which framed() adds.
    virtual LanguageTokens languageTokens() const { return {}; }
    virtual SpecialTokens specialTokens() const { return {}; }
    /// In words, for `info`.
    virtual std::string description() const = 0;
    /// What may be wrong with the files; empty: nothing.
    virtual std::string note() const { return {}; }
};

} // namespace headscope::text

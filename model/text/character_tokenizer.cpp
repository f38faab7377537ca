#include "model/text/character_tokenizer.h"

#include "model/files/findings.h"
#include "model/files/read_file.h"
#include "model/files/torch/unpickler.h"
#include "model/files/utf8.h"
#include "model/text/lower_case.h"
#include "model/text/piece_vocabulary.h"
#include "model/text/typed_text.h"
#include "model/trace/refusal.h"

#include <string_view>
#include <utility>
#include <vector>

namespace headscope::text {

namespace {

using files::Pickle;
using files::PickleDict;
using trace::Refusal;

constexpr std::uint64_t largestCharacters = 16u << 20;
constexpr std::size_t mostBytes = 4; ///< of a character

[[noreturn]] void refuse(const std::string& where, const std::string& found) {
    throw Refusal({.what = "The file holds no characters that can be read",
                   .where = where,
                   .expected =
                       "a dictionary whose \"itos\" has the ids from 0 on and a character for each, as "
                       "nanoGPT's prepare.py writes it",
                   .found = found,
                   .wayOut = "copy the meta.pkl from the data that the model was trained on"});
}

/// The last value under a key, as Python would have it; null if there is none.
const PickleDict* dictAt(const Pickle& pickle, std::string_view key) {
    const PickleDict* found = nullptr;
    if (const auto* root = pickle.as<PickleDict>(pickle.root))
        for (const auto& [name, value] : root->items)
            if (const auto* text = pickle.as<std::string>(name); text && *text == key)
                found = pickle.as<PickleDict>(value);
    return found;
}

std::vector<std::string> readCharacters(const std::filesystem::path& path) {
    const auto where = path.string();
    const auto bytes = files::readFile(path, largestCharacters);
    const Pickle pickle = files::unpickle(*bytes, where);
    const auto* itos = dictAt(pickle, "itos");
    if (!itos)
        refuse(where, files::describe(pickle[pickle.root]) + " without such an \"itos\"");
    std::vector<std::string> characters(itos->items.size());
    for (const auto& [id, value] : itos->items) {
        const auto* number = pickle.as<std::int64_t>(id);
        const auto* character = pickle.as<std::string>(value);
        if (!number || *number < 0 || *number >= std::ssize(characters))
            refuse(where,
                   "the id " + files::describe(pickle[id]) + " among " + std::to_string(characters.size()));
        if (!character || character->size() > mostBytes || !files::isUtf8(*character) ||
            charactersOf(*character).size() != 1)
            refuse(where, files::describe(pickle[value]) + " for the id " + std::to_string(*number));
        characters[*number] = *character;
    }
    return characters;
}

/// A space and a line break would not be seen in a list.
std::string spelled(const std::string& character) {
    if (character == " ")
        return std::string(trace::spaceMark);
    if (character == "\n")
        return "\\n";
    return character == "\t" ? "\\t" : character;
}

class CharacterTokenizer : public Tokenizer {
  public:
    explicit CharacterTokenizer(const std::filesystem::path& path)
        : characters_(readCharacters(path), path.string()) {}

    std::vector<trace::Token> encode(std::string_view text) const override {
        refuseUnlessUtf8(text);
        std::vector<trace::Token> tokens;
        for (const auto& [code, range] : charactersOf(text)) {
            const std::string character(text.substr(range.begin, range.end - range.begin));
            const auto id = characters_.id(character);
            if (!id)
                throw Refusal({.what = "The text has a character that the model does not know",
                               .where = "the text, byte " + std::to_string(range.begin),
                               .expected = "the " + std::to_string(size()) + " characters of its vocabulary",
                               .found = "\"" + files::printable(character) + "\"",
                               .wayOut = "use other characters"});
            tokens.push_back({.id = *id, .piece = spelled(character), .range = range});
        }
        return tokens;
    }

    std::string decode(std::span<const std::int64_t> ids) const override {
        std::string text;
        for (const auto id : ids)
            if (characters_.holds(id))
                text += characters_.piece(id);
        return text;
    }

    std::string piece(std::int64_t id) const override { return spelled(characters_.piece(id)); }
    std::int64_t size() const override { return characters_.size(); }
    std::string description() const override { return "characters, " + std::to_string(size()) + " of them"; }

  private:
    PieceVocabulary characters_;
};

} // namespace

bool isPickle(const std::filesystem::path& path) {
    return files::readText(path).starts_with('\x80');
}

std::unique_ptr<Tokenizer> openCharacterTokenizer(const std::filesystem::path& path) {
    return std::make_unique<CharacterTokenizer>(path);
}

} // namespace headscope::text

#include "model/text/hugging_face/added_tokens.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/hugging_face/unicode.h"
#include "model/text/sentence_piece_check.h"

#include <utility>

namespace headscope::text {

namespace {

constexpr std::size_t longestAddedToken = 1024; // bytes

/// The tokens of one kind, prepared for the search.
PrefixSearch searchFor(const std::map<std::int64_t, AddedToken>& tokens, bool isNormalized,
                       const Normalizer* normalizer) {
    std::vector<std::pair<std::string, std::int64_t>> entries;
    for (const auto& [id, token] : tokens) {
        if (token.isNormalized != isNormalized || token.content.empty())
            continue;
        auto content = alignedTo(token.content, {});
        if (isNormalized && normalizer)
            normalizer->normalize(content);
        if (!content.empty())
            entries.emplace_back(utf8Of(content), id);
    }
    return PrefixSearch(std::move(entries));
}

/// True if no word character is next to the part.
bool isWordOfItsOwn(const AlignedText& text, std::size_t begin, std::size_t end) {
    return (begin == 0 || !isWordCharacter(text[begin - 1].code)) &&
           (end == text.size() || !isWordCharacter(text[end].code));
}

Section stretchOf(const Section& section, std::size_t begin, std::size_t end) {
    if (begin == 0 && end == section.text.size())
        return section;
    const auto at = [&](std::size_t place) {
        return section.text.begin() + static_cast<std::ptrdiff_t>(place);
    };
    return {AlignedText(at(begin), at(end)), section.text[begin].range.begin};
}

std::map<std::int64_t, AddedToken> byId(const std::vector<AddedToken>& tokens) {
    std::map<std::string, std::int64_t> idOf;
    std::map<std::int64_t, AddedToken> found;
    for (const auto& token : tokens) {
        if (const auto [other, isNew] = idOf.emplace(token.content, token.id); !isNew) {
            found.erase(other->second);
            other->second = token.id;
        }
        found.insert_or_assign(token.id, token);
    }
    return found;
}

} // namespace

std::vector<AddedToken> readAddedTokens(const nlohmann::json& list, const std::string& where) {
    std::vector<AddedToken> tokens;
    if (list.is_null())
        return tokens;
    if (!list.is_array())
        refuseTokenizer(where, "a list of tokens", list.type_name());
    for (const auto& entry : list) {
        AddedToken token{.id = files::integerAt(entry, "id", where),
                         .content = files::stringAt(entry, "content", where)};
        if (token.id < 0 || token.id >= static_cast<std::int64_t>(mostPieces))
            refuseTokenizer(where, "ids from 0 to " + std::to_string(mostPieces - 1),
                            std::to_string(token.id) + " of \"" + files::printable(token.content) + "\"");
        if (token.content.size() > longestAddedToken)
            refuseTokenizer(where, "tokens of at most " + std::to_string(longestAddedToken) + " bytes",
                            std::to_string(token.content.size()) + " bytes");
        token.isSpecial = files::booleanAt(entry, "special", where, false);
        token.isSingleWord = files::booleanAt(entry, "single_word", where, false);
        token.takesLeft = files::booleanAt(entry, "lstrip", where, false);
        token.takesRight = files::booleanAt(entry, "rstrip", where, false);
        token.isNormalized = files::booleanAt(entry, "normalized", where, !token.isSpecial);
        tokens.push_back(std::move(token));
    }
    return tokens;
}

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens, const Normalizer* normalizer)
    : tokens_(byId(tokens)), normalizer_(normalizer), raw_(searchFor(tokens_, false, nullptr)),
      normalized_(searchFor(tokens_, true, normalizer)) {}

std::vector<AddedTokens::Part> AddedTokens::partsOf(const Section& section,
                                                    const PrefixSearch& search) const {
    const auto& text = section.text;
    const auto encoded = encodedText(text);
    const std::string_view utf8 = encoded.utf8;
    std::vector<Part> parts;
    std::size_t done = 0; // in characters
    std::size_t skipTo = 0;
    for (std::size_t byte = 0; byte < utf8.size(); ++byte) {
        if (byte < skipTo)
            continue;
        std::size_t length = 0;
        std::int64_t id = 0;
        search.forEachPrefixOf(utf8.substr(byte), [&](std::size_t bytes, std::int64_t number) {
            length = bytes;
            id = number;
        });
        if (length == 0)
            continue;
        skipTo = byte + length;
        const auto& token = tokens_.at(id);
        auto begin = encoded.characterAt[byte];
        auto end = encoded.characterAt[skipTo - 1] + 1;
        if (token.isSingleWord && !isWordOfItsOwn(text, begin, end))
            continue;
        while (token.takesLeft && begin > done && isUnicodeSpace(text[begin - 1].code))
            --begin;
        while (token.takesRight && end < text.size() && isUnicodeSpace(text[end].code))
            ++end;
        if (done < begin)
            parts.push_back({stretchOf(section, done, begin)});
        parts.push_back({stretchOf(section, begin, end), &token});
        done = end;
    }
    if (done < text.size())
        parts.push_back({stretchOf(section, done, text.size())});
    return parts;
}

std::vector<AddedTokens::Part> AddedTokens::parts(std::string_view text) const {
    std::vector<Part> found;
    for (auto& part : partsOf({charactersOf(text), 0}, raw_)) {
        if (part.token) {
            found.push_back(std::move(part));
            continue;
        }
        if (normalizer_)
            normalizer_->normalize(part.section.text);
        for (auto& inner : partsOf(part.section, normalized_))
            found.push_back(std::move(inner));
    }
    return found;
}

const AddedToken* AddedTokens::find(std::int64_t id) const {
    const auto found = tokens_.find(id);
    return found == tokens_.end() ? nullptr : &found->second;
}

const AddedToken* AddedTokens::find(std::string_view content) const {
    for (const auto& [id, token] : tokens_)
        if (token.content == content)
            return &token;
    return nullptr;
}

} // namespace headscope::text

#include "model/text/hugging_face/special_tokens.h"

#include "model/files/findings.h"
#include "model/text/hugging_face/language_codes.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headscope::text {

namespace {

/// The added token of a role; it must be in the vocabulary.
TemplatePart partOfRole(const TokenizerSettings& settings, const char* role, const IdOf& idOf,
                        std::int64_t segment) {
    const auto token = settings.roles().find(role);
    const auto id = token == settings.roles().end() ? std::nullopt : idOf(token->second);
    if (!id)
        refuseTokenizer(settings.where(), std::string("a ") + role + " of the vocabulary",
                        token == settings.roles().end() ? "none"
                                                        : "\"" + files::printable(token->second) + "\"");
    return {.id = *id, .token = token->second, .segment = segment};
}

bool areLetters(std::string_view text, char first, char last) {
    return std::ranges::all_of(text, [&](char letter) { return letter >= first && letter <= last; });
}

bool isLower(std::string_view text) {
    return !text.empty() && areLetters(text, 'a', 'z');
}

/// "en_XX" of mBART, "eng_Latn" of NLLB, "en" of M2M100's "__en__"; empty for other tokens.
std::string languageCodeOf(const std::string& kind, std::string_view token) {
    if (kind == "M2M100") {
        if (token.size() < 6 || !token.starts_with("__") || !token.ends_with("__"))
            return {};
        const auto code = token.substr(2, token.size() - 4);
        return isLower(code) ? std::string(code) : std::string();
    }
    const auto line = token.find('_');
    if (line == token.npos || !isLower(token.substr(0, line)))
        return {};
    const auto region = token.substr(line + 1);
    const bool isCode = kind == "Nllb"
                            ? line == 3 && region.size() == 4 && areLetters(region.substr(0, 1), 'A', 'Z') &&
                                  isLower(region.substr(1))
                            : line == 2 && region.size() == 2 && areLetters(region, 'A', 'Z');
    return isCode ? std::string(token) : std::string();
}

std::string codesOf(const std::vector<Language>& languages) {
    std::string codes;
    for (const auto& language : languages)
        codes += (codes.empty() ? "" : ", ") + language.code;
    return codes;
}

/// NLLB's older form, which its classes of `transformers` use on both sides if a setting says so.
bool isOlderNllb(const TokenizerSettings& settings) {
    return settings.kind() == "Nllb" && settings.flag("legacy_behaviour", false);
}

TargetLanguage placeOfTarget(const TokenizerSettings& settings) {
    if (settings.kind() == "MBart")
        return TargetLanguage::FirstInput;
    return isOlderNllb(settings) ? TargetLanguage::AfterEnd : TargetLanguage::FirstOutput;
}

} // namespace

std::vector<AddedToken> withTokensOf(const TokenizerSettings& settings, std::vector<AddedToken> tokens,
                                     const IdOf& idOf, std::int64_t vocabularySize) {
    std::map<std::string, std::size_t> places;
    auto next = vocabularySize;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        places[tokens[at].content] = at;
        next = std::max(next, tokens[at].id + 1);
    }
    for (auto token : settings.tokens()) {
        const bool isStated = token.id >= 0;
        if (const auto known = places.find(token.content); known != places.end()) {
            auto& other = tokens[known->second];
            if (!isStated)
                continue;
            token.id = other.id;
            other = std::move(token);
            continue;
        }
        token.id = idOf(token.content).value_or(next);
        next = std::max(next, token.id + 1);
        places[token.content] = tokens.size();
        tokens.push_back(std::move(token));
    }
    return tokens;
}

SpecialTokens specialTokensOf(const TokenizerSettings& settings, const IdOf& idOf) {
    const auto id = [&](const char* role) {
        const auto token = settings.roles().find(role);
        return token == settings.roles().end() ? std::nullopt : idOf(token->second);
    };
    return {.start = id("bos_token"),
            .end = id("eos_token"),
            .padding = id("pad_token"),
            .unknown = id("unk_token"),
            .mask = id("mask_token"),
            .classification = id("cls_token"),
            .separator = id("sep_token")};
}

std::optional<PostProcessor> frameOfClass(const TokenizerSettings& settings, const IdOf& idOf) {
    const auto& kind = settings.kind();
    if (kind != "Llama" && kind != "Gemma" && kind != "GPTNeoX")
        return std::nullopt;
    PostProcessor frame{.single = {}, .pair = {}};
    const auto add = [&](InputPart part, std::int64_t segment) {
        std::vector<TemplatePart> parts;
        if (settings.flag("add_bos_token", kind != "GPTNeoX"))
            parts.push_back(partOfRole(settings, "bos_token", idOf, segment));
        parts.push_back({.part = part, .segment = segment});
        if (settings.flag("add_eos_token", false))
            parts.push_back(partOfRole(settings, "eos_token", idOf, segment));
        return parts;
    };
    frame.single = add(InputPart::First, 0);
    frame.pair = frame.single;
    std::ranges::move(add(InputPart::Second, 1), std::back_inserter(frame.pair));
    return frame;
}

LanguageTokens languagesOf(const TokenizerSettings& settings, const std::vector<AddedToken>& tokens) {
    static const std::map<std::string, std::string> defaults{
        {"MBart", "en_XX"}, {"MBart50", "en_XX"}, {"M2M100", "en"}, {"Nllb", "eng_Latn"}};
    const auto own = defaults.find(settings.kind());
    if (own == defaults.end())
        return {};
    LanguageTokens languages{.source = settings.text("src_lang", own->second),
                             .target = settings.text("tgt_lang", ""),
                             .place = placeOfTarget(settings)};
    for (const auto& token : tokens)
        if (auto code = languageCodeOf(settings.kind(), token.content); !code.empty())
            languages.all.push_back({std::move(code), token.id});
    std::ranges::sort(languages.all, {}, &Language::id);
    return languages;
}

PostProcessor frameOfLanguage(const TokenizerSettings& settings, const LanguageTokens& languages,
                              std::string_view code, const IdOf& idOf) {
    const auto found = std::ranges::find(languages.all, code, &Language::code);
    if (found == languages.all.end())
        throw trace::Refusal({.what = "The model does not know this language",
                              .where = "the language of the source",
                              .expected = "one of " + codesOf(languages.all),
                              .found = "\"" + files::printable(code) + "\"",
                              .wayOut = "choose one of these codes"});
    const TemplatePart language{.id = found->id, .token = tokenOfLanguage(settings.kind(), code)};
    const auto end = partOfRole(settings, "eos_token", idOf, 0);
    const TemplatePart first{.part = InputPart::First};
    const TemplatePart second{.part = InputPart::Second};
    if (settings.kind() == "MBart" || isOlderNllb(settings))
        return {.single = {first, end, language}, .pair = {first, second, end, language}};
    return {.single = {language, first, end}, .pair = {language, first, second, end}};
}

} // namespace headscope::text

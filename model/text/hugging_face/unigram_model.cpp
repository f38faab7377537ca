#include "model/text/hugging_face/unigram_model.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/fallback_bytes.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/lower_case.h"
#include "model/text/sentence_piece_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::text {

namespace {

constexpr double unknownPenalty = 10;

/// If two tokens have the same spelling, the last one counts.
PrefixSearch searchForTokens(const std::vector<std::string>& tokens) {
    std::vector<std::pair<std::string, std::int64_t>> entries;
    for (std::size_t id = tokens.size(); id-- > 0;)
        if (!tokens[id].empty())
            entries.emplace_back(tokens[id], static_cast<std::int64_t>(id));
    return PrefixSearch(std::move(entries));
}

} // namespace

UnigramModel::Entries UnigramModel::readEntries(const nlohmann::json& stage, const std::string& where) {
    const auto& list = files::arrayAt(stage, "vocab", where);
    if (list.empty() || list.size() > mostPieces)
        refuseTokenizer(where + ", vocab", "1 to " + std::to_string(mostPieces) + " tokens",
                        std::to_string(list.size()));
    Entries entries;
    for (const auto& entry : list) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number() ||
            !std::isfinite(entry[1].get<double>()))
            refuseTokenizer(where + ", vocab", "pairs of a token and its score",
                            files::printable(entry.dump()));
        entries.tokens.push_back(entry[0].get<std::string>());
        entries.scores.push_back(entry[1].get<double>());
    }
    return entries;
}

UnigramModel::UnigramModel(const nlohmann::json& stage, const std::string& where)
    : UnigramModel(readEntries(stage, where), stage, where) {}

UnigramModel::UnigramModel(Entries entries, const nlohmann::json& stage, const std::string& where)
    : vocabulary_(entries.tokens), search_(searchForTokens(entries.tokens)),
      scores_(std::move(entries.scores)), unknownScore_(std::ranges::min(scores_) - unknownPenalty),
      byteFallback_(files::booleanAt(stage, "byte_fallback", where, false)) {
    if (!stage.contains("unk_id") || stage["unk_id"].is_null())
        return;
    unknown_ = files::integerAt(stage, "unk_id", where);
    if (*unknown_ < 0 || *unknown_ >= vocabulary_.size())
        refuseTokenizer(where + ", unk_id", "an id from 0 to " + std::to_string(vocabulary_.size() - 1),
                        std::to_string(*unknown_));
}

std::string UnigramModel::description() const {
    return byteFallback_ ? "Unigram with byte fallback" : "Unigram";
}

std::vector<WordToken> UnigramModel::bestSplit(std::string_view word) const {
    struct Best {
        double score = 0;
        std::size_t begin = 0;
        std::optional<std::int64_t> id; ///< empty: no token ends here yet
    };
    constexpr std::int64_t none = -1; // a character without a token
    std::vector<Best> best(word.size() + 1);
    const auto offer = [&](std::size_t begin, std::size_t end, std::int64_t id, double score) {
        score += best[begin].score;
        if (!best[end].id || score > best[end].score)
            best[end] = {score, begin, id};
    };
    for (const auto& character : charactersOf(word)) {
        const auto range = character.range;
        bool isKnown = false;
        search_.forEachPrefixOf(word.substr(range.begin), [&](std::size_t length, std::int64_t id) {
            offer(range.begin, range.begin + length, id, scores_[id]);
            isKnown |= range.begin + length == range.end;
        });
        if (!isKnown)
            offer(range.begin, range.end, unknown_.value_or(none), unknownScore_);
    }
    std::vector<WordToken> tokens;
    for (std::size_t end = word.size(); end > 0; end = best[end].begin)
        tokens.push_back({*best[end].id, best[end].begin, end});
    std::ranges::reverse(tokens);
    if (!unknown_ && std::ranges::any_of(tokens, [](const WordToken& token) { return token.id < 0; }))
        refuseTokenizer("the tokenizer", "a token for every character, or an unknown token",
                        "neither for \"" + files::printable(word) + "\"");
    return tokens;
}

/// A run of unknown characters can be a token that the best split did not use, or bytes.
void UnigramModel::addUnknown(std::vector<WordToken>& tokens, std::string_view word,
                              WordToken unknown) const {
    const auto spelling = word.substr(unknown.begin, unknown.end - unknown.begin);
    if (const auto id = vocabulary_.id(spelling)) {
        tokens.push_back({*id, unknown.begin, unknown.end});
        return;
    }
    std::vector<WordToken> bytes;
    if (byteFallback_)
        for (const char byte : spelling)
            if (const auto id = vocabulary_.id(fallbackToken(static_cast<unsigned char>(byte))))
                bytes.push_back({*id, unknown.begin, unknown.end});
    if (bytes.size() == spelling.size())
        tokens.insert(tokens.end(), bytes.begin(), bytes.end());
    else
        tokens.push_back(unknown);
}

std::vector<WordToken> UnigramModel::tokenize(std::string_view word) const {
    std::vector<WordToken> tokens;
    std::optional<WordToken> unknown;
    for (const auto& token : bestSplit(word)) {
        if (token.id == unknown_) {
            unknown = WordToken{token.id, unknown ? unknown->begin : token.begin, token.end};
            continue;
        }
        if (unknown)
            addUnknown(tokens, word, *unknown);
        unknown.reset();
        tokens.push_back(token);
    }
    if (unknown)
        addUnknown(tokens, word, *unknown);
    return tokens;
}

} // namespace headscope::text

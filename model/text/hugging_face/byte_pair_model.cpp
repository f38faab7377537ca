#include "model/text/hugging_face/byte_pair_model.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/text/hugging_face/aligned_text.h"
#include "model/text/hugging_face/fallback_bytes.h"
#include "model/text/hugging_face/tokenizer_refusal.h"

#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace headscope::text {

namespace {

using nlohmann::json;

std::uint64_t pairKey(std::int64_t left, std::int64_t right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
}

/// "a b", or since tokenizers 0.20 ["a", "b"].
std::pair<std::string, std::string> mergedPair(const json& merge, const std::string& where) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        return {merge[0].get<std::string>(), merge[1].get<std::string>()};
    if (merge.is_string()) {
        const auto& text = merge.get_ref<const std::string&>();
        if (const auto space = text.find(' '); space != text.npos && text.find(' ', space + 1) == text.npos)
            return {text.substr(0, space), text.substr(space + 1)};
    }
    refuseTokenizer(where, "merges of two tokens, \"a b\" or [\"a\", \"b\"]", files::printable(merge.dump()));
}

} // namespace

BytePairModel::BytePairModel(const json& stage, const std::string& where)
    : vocabulary_(files::memberAt(stage, "vocab", where), where + ", vocab"),
      continuingPrefix_(files::stringAt(stage, "continuing_subword_prefix", where, "")),
      endSuffix_(files::stringAt(stage, "end_of_word_suffix", where, "")),
      fuseUnknown_(files::booleanAt(stage, "fuse_unk", where, false)),
      byteFallback_(files::booleanAt(stage, "byte_fallback", where, false)),
      ignoreMerges_(files::booleanAt(stage, "ignore_merges", where, false)) {
    if (const auto token = files::stringAt(stage, "unk_token", where, ""); !token.empty()) {
        unknown_ = vocabulary_.id(token);
        if (!unknown_)
            refuseTokenizer(where, "the unknown token in the vocabulary",
                            "none spelled \"" + files::printable(token) + "\"");
    }
    readMerges(stage, where + ", merges");
}

void BytePairModel::readMerges(const json& stage, const std::string& where) {
    files::Findings missing;
    for (const auto& merge : files::arrayAt(stage, "merges", where)) {
        const auto [left, right] = mergedPair(merge, where);
        const auto rest =
            right.starts_with(continuingPrefix_) ? right.substr(continuingPrefix_.size()) : right;
        const auto leftId = vocabulary_.id(left);
        const auto rightId = vocabulary_.id(right);
        const auto id = vocabulary_.id(left + rest);
        for (const auto& [found, token] :
             {std::pair(leftId, left), std::pair(rightId, right), std::pair(id, left + rest)})
            if (!found)
                missing.add("\"" + files::printable(token) + "\"");
        if (leftId && rightId && id)
            merges_.insert_or_assign(pairKey(*leftId, *rightId), Merge{merges_.size(), *id});
    }
    if (!missing.empty())
        refuseTokenizer(where, "tokens of the vocabulary", missing.text());
}

std::string BytePairModel::description() const {
    return byteFallback_ ? "byte pair encoding with byte fallback" : "byte pair encoding";
}

const BytePairModel::Merge* BytePairModel::merge(std::int64_t left, std::int64_t right) const {
    const auto found = merges_.find(pairKey(left, right));
    return found == merges_.end() ? nullptr : &found->second;
}

/// The tokens of a word as a linked list in which neighbours are merged.
class BytePairModel::Merging {
  public:
    Merging(const BytePairModel& model, std::vector<WordToken> tokens) : model_(model) {
        symbols_.reserve(tokens.size());
        for (std::size_t at = 0; at < tokens.size(); ++at)
            symbols_.push_back(
                {tokens[at], at == 0 ? none : at - 1, at + 1 == tokens.size() ? none : at + 1});
        for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
            addCandidate(at);
    }

    std::vector<WordToken> merged() {
        while (!candidates_.empty()) {
            const auto [rank, at, id] = candidates_.top();
            candidates_.pop();
            if (isCurrent(at, id))
                join(at, id);
        }
        std::vector<WordToken> tokens;
        for (const auto& symbol : symbols_)
            if (!symbol.isGone)
                tokens.push_back(symbol.token);
        return tokens;
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    struct Symbol {
        WordToken token;
        std::size_t previous = none;
        std::size_t next = none;
        bool isGone = false;
    };
    using Candidate = std::tuple<std::size_t, std::size_t, std::int64_t>; ///< rank, left index, id

    void addCandidate(std::size_t at) {
        const auto& symbol = symbols_[at];
        if (const auto* merge = model_.merge(symbol.token.id, symbols_[symbol.next].token.id))
            candidates_.emplace(merge->rank, at, merge->id);
    }

    /// True if the pair has not changed since the candidate was created.
    bool isCurrent(std::size_t at, std::int64_t id) const {
        const auto& symbol = symbols_[at];
        if (symbol.isGone || symbol.next == none)
            return false;
        const auto* merge = model_.merge(symbol.token.id, symbols_[symbol.next].token.id);
        return merge && merge->id == id;
    }

    void join(std::size_t at, std::int64_t id) {
        auto& left = symbols_[at];
        auto& right = symbols_[left.next];
        left.token = {id, left.token.begin, right.token.end};
        left.next = right.next;
        right.isGone = true;
        if (left.next != none) {
            symbols_[left.next].previous = at;
            addCandidate(at);
        }
        if (left.previous != none)
            addCandidate(left.previous);
    }

    const BytePairModel& model_;
    std::vector<Symbol> symbols_;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

bool BytePairModel::addBytes(std::vector<WordToken>& tokens, std::string_view spelling,
                             trace::ByteRange range) const {
    std::vector<std::int64_t> ids;
    for (const char byte : spelling)
        if (const auto id = vocabulary_.id(fallbackToken(static_cast<unsigned char>(byte))))
            ids.push_back(*id);
    if (ids.size() < spelling.size())
        return false;
    for (const auto id : ids)
        tokens.push_back({id, range.begin, range.end});
    return true;
}

std::vector<WordToken> BytePairModel::characterTokens(std::string_view word) const {
    std::vector<WordToken> tokens;
    std::optional<WordToken> unknown; // merged with unknown tokens that follow
    const auto addUnknown = [&] {
        if (unknown)
            tokens.push_back(*unknown);
        unknown.reset();
    };
    for (const auto& [code, range] : charactersOf(word)) {
        std::string spelling(range.begin == 0 ? "" : continuingPrefix_);
        spelling += word.substr(range.begin, range.end - range.begin);
        if (range.end == word.size())
            spelling += endSuffix_;
        if (const auto id = vocabulary_.id(spelling)) {
            addUnknown();
            tokens.push_back({*id, range.begin, range.end});
        } else if (byteFallback_ && addBytes(tokens, spelling, range)) {
            continue; // a pending unknown token stays pending, as in tokenizers
        } else if (unknown_) {
            if (unknown && fuseUnknown_) {
                unknown->end = range.end;
            } else {
                addUnknown();
                unknown = WordToken{*unknown_, range.begin, range.end};
            }
        }
    }
    addUnknown();
    return tokens;
}

std::vector<WordToken> BytePairModel::tokenize(std::string_view word) const {
    if (ignoreMerges_)
        if (const auto id = vocabulary_.id(word))
            return {{*id, 0, word.size()}};
    return Merging(*this, characterTokens(word)).merged();
}

} // namespace headscope::text

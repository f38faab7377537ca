#include "model/text/hugging_face/tiktoken_file.h"

#include "model/files/base64.h"
#include "model/files/findings.h"
#include "model/files/read_file.h"
#include "model/files/utf8.h"
#include "model/text/hugging_face/byte_characters.h"
#include "model/text/hugging_face/converted_sentence_piece.h"
#include "model/text/hugging_face/tokenizer_refusal.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope::text {

namespace {

using nlohmann::json;

constexpr std::uint64_t largestFile = 64u << 20; // bytes
constexpr std::size_t longestToken = 256;        // bytes; the longest of Llama 3 has 128
constexpr std::size_t mostMerges = 4'000'000;    // Llama 3 has 280,147

struct RankedToken {
    std::string bytes;
    std::int64_t rank = 0;
};

/// The token of a line; nothing if it is none.
std::optional<RankedToken> tokenOf(std::string_view line) {
    const auto space = line.find(' ');
    if (space == line.npos)
        return std::nullopt;
    const auto bytes = files::fromBase64(line.substr(0, space));
    const auto number = line.substr(space + 1);
    std::int64_t rank = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rank);
    if (!bytes || bytes->empty() || bytes->size() > longestToken || error != std::errc() ||
        end != number.data() + number.size() || rank < 0)
        return std::nullopt;
    return RankedToken{*bytes, rank};
}

/// The tokens by rank, which are 0 to n - 1.
std::vector<std::string> tokensIn(const std::filesystem::path& path) {
    const auto text = files::readText(path, largestFile);
    std::vector<std::string> tokens;
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        auto line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty())
            continue;
        const auto token = tokenOf(line);
        if (!token || token->rank != std::ssize(tokens))
            refuseTokenizer(path.string(),
                            "a token in base64 and its rank " + std::to_string(tokens.size()) +
                                " on each line",
                            "\"" + files::printable(std::string(line), 40) + "\"");
        tokens.push_back(token->bytes);
    }
    return tokens;
}

/// The spelling of bytes in byte-level vocabularies.
std::string spellingOf(std::string_view bytes) {
    std::string spelling;
    for (const char byte : bytes)
        files::appendUtf8(spelling, characterOfByte(static_cast<unsigned char>(byte)));
    return spelling;
}

/// All pairs of tokens that make up a token, those of the lowest rank first.
json mergesOf(const std::vector<std::string>& tokens, const std::string& where) {
    std::unordered_map<std::string_view, std::size_t> ranks;
    for (const auto& token : tokens)
        ranks.emplace(token, ranks.size());
    json merges = json::array();
    for (const std::string_view token : tokens) {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t at = 1; at < token.size(); ++at)
            if (const auto left = ranks.find(token.substr(0, at)), right = ranks.find(token.substr(at));
                left != ranks.end() && right != ranks.end())
                pairs.emplace_back(left->second, right->second);
        std::ranges::sort(pairs);
        for (const auto& [left, right] : pairs)
            merges.push_back({spellingOf(tokens[left]), spellingOf(tokens[right])});
        if (merges.size() > mostMerges)
            refuseTokenizer(where, "at most " + std::to_string(mostMerges) + " pairs of tokens", "more");
    }
    return merges;
}

/// In the order of their ids, which follow the ranks; the names are those of Llama 3.1 and later.
std::vector<std::string> specialTokens() {
    constexpr std::size_t count = 256;
    std::vector<std::string> tokens;
    for (const char* name : {"begin_of_text", "end_of_text", "reserved_special_token_0",
                             "reserved_special_token_1", "finetune_right_pad_id", "step_id",
                             "start_header_id", "end_header_id", "eom_id", "eot_id", "python_tag", "image"})
        tokens.push_back("<|" + std::string(name) + "|>");
    for (int number = 2; tokens.size() < count; ++number)
        tokens.push_back("<|reserved_special_token_" + std::to_string(number) + "|>");
    return tokens;
}

} // namespace

json byteLevelStages(const std::string& digits) {
    const auto words = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)" + digits +
                       R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    return {{"type", "Sequence"},
            {"pretokenizers",
             {{{"type", "Split"}, {"pattern", {{"Regex", words}}}, {"behavior", "Isolated"}},
              {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
}

bool isTiktokenFile(const std::filesystem::path& path) {
    std::string line(2 * longestToken, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(file.gcount());
    return tokenOf(line.substr(0, line.find_first_of("\r\n"))).has_value();
}

json llama3Tokenizer(const std::filesystem::path& path) {
    const auto tokens = tokensIn(path);
    json vocabulary = json::object();
    for (std::size_t rank = 0; rank < tokens.size(); ++rank)
        vocabulary[spellingOf(tokens[rank])] = rank;
    if (vocabulary.size() != tokens.size())
        refuseTokenizer(path.string(), "every token once", "a token twice");
    json added = json::array();
    for (const auto& name : specialTokens())
        added.push_back({{"id", tokens.size() + added.size()},
                         {"content", name},
                         {"special", true},
                         {"normalized", false}});
    const auto start = added[0]["content"];
    return {
        {"normalizer", nullptr},
        {"pre_tokenizer", byteLevelStages("\\p{N}{1,3}")},
        {"post_processor", templateOf({start, "$A"}, {start, "$A", start, "$B"}, {{start, added[0]["id"]}})},
        {"decoder", {{"type", "ByteLevel"}}},
        {"added_tokens", added},
        {"model",
         {{"type", "BPE"},
          {"vocab", std::move(vocabulary)},
          {"merges", mergesOf(tokens, path.string())},
          {"ignore_merges", true}}}};
}

} // namespace headscope::text

#include "model/text/piece_vocabulary.h"

#include "model/text/sentence_piece_check.h"

#include "model/files/findings.h"
#include "model/files/limited_json.h"
#include "model/files/read_file.h"
#include "model/files/utf8.h"
#include "model/files/yaml.h"
#include "model/trace/refusal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace headscope::text {

namespace {

constexpr std::uint64_t largestVocabulary = 64u << 20;

[[noreturn]] void refuseVocabulary(const std::string& where, const std::string& expected,
                                   const std::string& found) {
    throw trace::Refusal({.what = "This is no vocabulary that can be used",
                          .where = where,
                          .expected = expected,
                          .found = found,
                          .wayOut = "copy the vocabulary from where the model was trained again"});
}

void refuseTooMany(std::size_t pieces, const std::string& where) {
    if (pieces > mostPieces)
        refuseVocabulary(where, "at most " + std::to_string(mostPieces) + " pieces", std::to_string(pieces));
}

} // namespace

PieceVocabulary::PieceVocabulary(std::vector<std::string> pieces, const std::string& where)
    : pieces_(std::move(pieces)) {
    if (pieces_.empty())
        refuseVocabulary(where, "at least one piece", "none");
    refuseTooMany(pieces_.size(), where);
    files::Findings twice;
    for (const auto& piece : pieces_) {
        const auto id = static_cast<std::int64_t>(&piece - pieces_.data());
        const auto [first, isNew] = ids_.emplace(piece, id);
        if (!isNew)
            twice.add("\"" + files::printable(piece) + "\" as number " + std::to_string(first->second) +
                      " and " + std::to_string(id));
        if (!files::isUtf8(piece))
            refuseVocabulary(where, "text in UTF-8", "number " + std::to_string(id) + " is none");
    }
    if (!twice.empty())
        refuseVocabulary(where, "every piece once", twice.text() + ", counted from 0");
}

std::optional<std::int64_t> PieceVocabulary::id(const std::string& piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::string PieceVocabulary::piece(std::int64_t id) const {
    return holds(id) ? pieces_[id] : "#" + std::to_string(id);
}

PieceVocabulary readJsonVocabulary(const std::filesystem::path& path) {
    const std::string where = path.string();
    const auto text = files::readText(path, largestVocabulary);
    const auto object =
        path.extension() == ".yml" ? files::parseYaml(text, where) : files::parseJson(text, where);
    if (!object.is_object())
        refuseVocabulary(where, "an object from pieces to ids", object.type_name());
    refuseTooMany(object.size(), where);
    std::vector<const std::string*> pieces(object.size());
    files::Findings findings;
    for (const auto& [piece, id] : object.get_ref<const nlohmann::json::object_t&>()) {
        const bool isId = id.is_number_unsigned() && id.get<std::uint64_t>() < pieces.size();
        const std::string*& place = pieces[isId ? id.get<std::size_t>() : 0];
        if (!isId || place)
            findings.add("\"" + files::printable(piece) + "\" has " +
                         (isId ? id.dump() + ", as has \"" + files::printable(*place) + "\""
                               : files::printable(id.dump())));
        else
            place = &piece;
    }
    if (!findings.empty())
        refuseVocabulary(where, "every id from 0 to " + std::to_string(pieces.size() - 1) + " once",
                         findings.text());
    std::vector<std::string> ordered;
    ordered.reserve(pieces.size());
    for (const auto* piece : pieces)
        ordered.push_back(*piece);
    return {std::move(ordered), where};
}

PieceVocabulary readFairseqDictionary(const std::filesystem::path& path) {
    const std::string where = path.string();
    const std::string text = files::readText(path, largestVocabulary);
    std::vector<std::string> words{"<s>", "<pad>", "</s>", "<unk>"};
    files::Findings findings;
    for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
        const auto end = std::min(text.find('\n', begin), text.size());
        auto line = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        constexpr std::string_view mark = " #fairseq:overwrite"; // a word that is one of the four
        if (line.ends_with(mark))
            line.remove_suffix(mark.size());
        const auto blank = line.rfind(' ');
        const bool hasCount = blank != line.npos && blank > 0 && blank + 1 < line.size() &&
                              line.find_first_not_of("0123456789", blank + 1) == line.npos;
        if (!hasCount)
            findings.add("line " + std::to_string(number) + ": \"" + files::printable(line, 40) + "\"");
        refuseTooMany(words.size() + 1, where);
        words.emplace_back(line.substr(0, hasCount ? blank : line.size()));
    }
    if (!findings.empty())
        refuseVocabulary(where, "a word and its count a line", findings.text());
    return {std::move(words), where};
}

PieceVocabulary readWordList(const std::filesystem::path& path) {
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    const std::string where = path.string();
    const std::string text = files::readText(path, largestVocabulary);
    std::string_view rest = text;
    if (rest.starts_with(byteOrderMark))
        rest.remove_prefix(byteOrderMark.size());
    std::vector<std::string> words;
    files::Findings findings;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        auto word = rest.substr(0, end);
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        if (word.ends_with('\r'))
            word.remove_suffix(1);
        refuseTooMany(words.size() + 1, where);
        if (word.empty() || !files::isUtf8(word))
            findings.add("line " + std::to_string(words.size() + 1) +
                         (word.empty() ? " is empty" : " is no UTF-8"));
        words.emplace_back(word);
    }
    std::unordered_map<std::string_view, std::size_t> lineOf;
    for (std::size_t line = 1; line <= words.size(); ++line)
        if (const auto [first, isNew] = lineOf.emplace(words[line - 1], line);
            !isNew && !first->first.empty())
            findings.add("\"" + files::printable(first->first) + "\" in line " + std::to_string(line) +
                         " as in line " + std::to_string(first->second));
    if (!findings.empty())
        refuseVocabulary(where, "one word a line, each once, in UTF-8", findings.text());
    return {std::move(words), where};
}

} // namespace headscope::text

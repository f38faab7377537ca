#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headscope::text {

/// Pieces or words and their ids 0 to n-1, in both directions.
class PieceVocabulary {
  public:
    /// `pieces` by id, each of them once; `where` names the file in the refusal (trace::Refusal).
    PieceVocabulary(std::vector<std::string> pieces, const std::string& where);

    std::optional<std::int64_t> id(const std::string& piece) const;
    /// "#7" for an id outside the vocabulary.
    std::string piece(std::int64_t id) const;
    bool holds(std::int64_t id) const { return id >= 0 && id < size(); }
    std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }
    const std::vector<std::string>& pieces() const { return pieces_; }

  private:
    std::vector<std::string> pieces_;
    std::unordered_map<std::string, std::int64_t> ids_;
};

/// vocab.json, or the same in YAML if its name ends in .yml: an object from pieces to ids, which must be 0 to
/// n-1, each once. Throws trace::Refusal.
PieceVocabulary readJsonVocabulary(const std::filesystem::path& path);

/// fairseq's dict.LANGUAGE.txt: a word and its count a line, behind four special ones that are not listed.
/// Throws trace::Refusal.
PieceVocabulary readFairseqDictionary(const std::filesystem::path& path);

/// A text with one word a line, the first of which has id 0. Windows' line ends and a byte order mark are no
/// part of the words. Throws trace::Refusal for what is no UTF-8, for empty lines and for words given twice.
PieceVocabulary readWordList(const std::filesystem::path& path);

} // namespace headscope::text

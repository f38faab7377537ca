#pragma once

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope::corpus {

/// One example: a sentence and its translation, or a text and its label.
struct TextPair {
    std::string source;
    std::string target;
    std::size_t line = 0; ///< of the file, from 1; 0: of none
    friend bool operator==(const TextPair& a, const TextPair& b) {
        return a.source == b.source && a.target == b.target;
    }
};

/// Reads a tab-separated file, plain or gzip, one example a line: source, target; further columns are left
/// alone, blank lines too. Throws trace::Refusal that names the lines with fewer columns or without UTF-8,
/// and for a file without examples; trace::Cancelled.
std::vector<TextPair> readTextPairs(const std::filesystem::path& path, const std::stop_token& stop = {});

/// The same of a labelled file, label first: the label becomes the target.
std::vector<TextPair> readLabelledTexts(const std::filesystem::path& path, const std::stop_token& stop = {});

/// A source with everything it was translated as, in the order of the file: repeated sources are several
/// references of one.
struct ReferencedSource {
    std::string source;
    std::size_t line = 0; ///< the first
    std::vector<std::string> references;
};
std::vector<ReferencedSource> groupReferences(const std::vector<TextPair>& pairs);

} // namespace headscope::corpus

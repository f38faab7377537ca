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
    std::size_t line = 0; ///< line in the file, from 1; 0: not from a file
    friend bool operator==(const TextPair& a, const TextPair& b) {
        return a.source == b.source && a.target == b.target;
    }
};

/// Reads a tab-separated file, plain or gzip, with one example per line: source, target. Ignores further
/// columns and blank lines. Throws trace::Refusal that lists lines with missing columns or invalid UTF-8, or
/// if there are no examples; trace::Cancelled.
std::vector<TextPair> readTextPairs(const std::filesystem::path& path, const std::stop_token& stop = {});

/// Same for a labelled file with the label in the first column: the label becomes the target.
std::vector<TextPair> readLabelledTexts(const std::filesystem::path& path, const std::stop_token& stop = {});

/// A source with all its translations, in file order: repeated sources provide several references.
struct ReferencedSource {
    std::string source;
    std::size_t line = 0; ///< first line
    std::vector<std::string> references;
};
std::vector<ReferencedSource> groupReferences(const std::vector<TextPair>& pairs);

} // namespace headscope::corpus

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::corpus {

/// One example: a sentence and its translation, or a text and its label.
struct TextPair {
    std::string source;
    std::string target;
    friend bool operator==(const TextPair&, const TextPair&) = default;
};

/// Reads a tab-separated file, plain or gzip, one example a line: source, target; further columns are left
/// alone, blank lines too. Throws trace::Refusal that names the lines with fewer columns, and for a file
/// without examples.
std::vector<TextPair> readTextPairs(const std::filesystem::path& path);

/// The same of a labelled file, label first: the label becomes the target.
std::vector<TextPair> readLabelledTexts(const std::filesystem::path& path);

/// A source with everything it was translated as, in the order of the file: repeated sources are several
/// references of one.
struct ReferencedSource {
    std::string source;
    std::vector<std::string> references;
};
std::vector<ReferencedSource> groupReferences(const std::vector<TextPair>& pairs);

} // namespace headscope::corpus

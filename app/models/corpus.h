#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

/// Returns the distinct sources of a corpus in order, at most `most`. The file, plain or gzip, has one
/// sentence per line, or tab-separated columns with the source first. Throws trace::Refusal if it has none.
std::vector<std::string> readSources(const std::string& path, std::size_t most);

struct CorpusText {
    std::string text;
    std::optional<std::string> second; ///< of a pair
    friend auto operator<=>(const CorpusText&, const CorpusText&) = default;
};
/// Reads pairs of texts: the second column is the second text. Also refuses a line without one.
std::vector<CorpusText> readPairs(const std::string& path, std::size_t most);

} // namespace headscope::app

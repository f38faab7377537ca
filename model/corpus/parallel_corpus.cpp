#include "model/corpus/parallel_corpus.h"

#include "model/files/findings.h"
#include "model/files/gzip.h"
#include "model/files/utf8.h"
#include "model/trace/refusal.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace headscope::corpus {

namespace {

std::vector<TextPair> readPairs(const std::filesystem::path& path, const char* columns,
                                const std::stop_token& stop) {
    const auto text = files::readPlainOrGzip(path.string());
    std::vector<TextPair> pairs;
    files::Findings findings;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        trace::throwIfStopped(stop);
        const auto end = std::min(text.find('\n', at), text.size());
        std::string_view line(text.data() + at, end - at);
        at = end + 1;
        ++number;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.find_first_not_of(" \t") == line.npos)
            continue;
        const auto tab = line.find('\t');
        const auto first = line.substr(0, tab);
        const auto rest = tab == line.npos ? std::string_view() : line.substr(tab + 1);
        const auto second = rest.substr(0, rest.find('\t'));
        const bool isText = files::isUtf8(line);
        if (first.empty() || second.empty() || !isText)
            findings.add("line " + std::to_string(number) + (isText ? " \"" : " (not UTF-8) \"") +
                         files::printable(line, 40) + "\"");
        else
            pairs.push_back({std::string(first), std::string(second), number});
    }
    if (!findings.empty() || pairs.empty())
        throw trace::Refusal(
            {.what = "The corpus cannot be used",
             .where = path.string(),
             .expected = std::string(columns) + " on every line, with a tab between them, in UTF-8",
             .found = findings.empty() ? "no line with text" : findings.text(),
             .wayOut = "mend these lines, or give another file"});
    return pairs;
}

} // namespace

std::vector<TextPair> readTextPairs(const std::filesystem::path& path, const std::stop_token& stop) {
    return readPairs(path, "a source and its translation", stop);
}

std::vector<TextPair> readLabelledTexts(const std::filesystem::path& path, const std::stop_token& stop) {
    auto pairs = readPairs(path, "a label and a text", stop);
    for (auto& pair : pairs)
        std::swap(pair.source, pair.target);
    return pairs;
}

std::vector<ReferencedSource> groupReferences(const std::vector<TextPair>& pairs) {
    std::vector<ReferencedSource> sources;
    std::unordered_map<std::string, std::size_t> places;
    for (const auto& pair : pairs) {
        const auto [place, isNew] = places.emplace(pair.source, sources.size());
        if (isNew)
            sources.push_back({.source = pair.source, .line = pair.line, .references = {}});
        sources[place->second].references.push_back(pair.target);
    }
    return sources;
}

} // namespace headscope::corpus

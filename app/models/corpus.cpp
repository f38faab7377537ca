#include "app/models/corpus.h"

#include "model/files/gzip.h"
#include "model/trace/refusal.h"

#include <set>
#include <sstream>
#include <utility>

namespace headscope::app {

namespace {

CorpusText textOf(const std::string& line, bool isPair, const std::string& where) {
    const auto tab = line.find('\t');
    CorpusText text{.text = line.substr(0, tab)};
    if (!isPair)
        return text;
    if (tab != std::string::npos)
        text.second = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    if (text.second.value_or("").find_first_not_of(" \t") == std::string::npos)
        throw trace::Refusal({.what = "A line of the corpus is no pair of texts",
                              .where = where,
                              .expected = "two texts with a tab between them",
                              .found = "\"" + line + "\"",
                              .wayOut = "give another file, or leave --pairs out"});
    return text;
}

std::vector<CorpusText> readTexts(const std::string& path, std::size_t most, bool arePairs) {
    std::istringstream text(files::readPlainOrGzip(path));
    std::vector<CorpusText> sources;
    std::set<CorpusText> seen;
    for (std::string line; sources.size() < most && std::getline(text, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (line.substr(0, line.find('\t')).find_first_not_of(" \t") == std::string::npos)
            continue;
        auto source = textOf(line, arePairs, path);
        if (seen.insert(source).second)
            sources.push_back(std::move(source));
    }
    if (sources.empty())
        throw trace::Refusal(
            {.what = "There is no sentence in the corpus",
             .where = path,
             .expected = "a sentence a line, or tab-separated columns of which the first is the source",
             .found = "nothing but blank lines",
             .wayOut = "give another file"});
    return sources;
}

} // namespace

std::vector<std::string> readSources(const std::string& path, std::size_t most) {
    std::vector<std::string> sources;
    for (auto& source : readTexts(path, most, false))
        sources.push_back(std::move(source.text));
    return sources;
}

std::vector<CorpusText> readPairs(const std::string& path, std::size_t most) {
    return readTexts(path, most, true);
}

} // namespace headscope::app

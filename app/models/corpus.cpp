#include "app/models/corpus.h"

#include "model/files/gzip.h"
#include "model/trace/refusal.h"

#include <set>
#include <sstream>

namespace headscope::app {

std::vector<std::string> readSources(const std::string& path, std::size_t most) {
    std::istringstream text(files::readPlainOrGzip(path));
    std::vector<std::string> sources;
    std::set<std::string> seen;
    for (std::string line; sources.size() < most && std::getline(text, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        auto source = line.substr(0, line.find('\t'));
        if (source.find_first_not_of(" \t") != std::string::npos && seen.insert(source).second)
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

} // namespace headscope::app

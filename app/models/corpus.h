#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::app {

/// Returns the distinct sources of a corpus in order, at most `most`. The file has one sentence per line, or
/// tab-separated columns of which the first is the source; plain or gzip. Throws trace::Refusal if there is
/// no source.
std::vector<std::string> readSources(const std::string& path, std::size_t most);

} // namespace headscope::app

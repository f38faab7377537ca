#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::app {

/// Distinct sources of a corpus in their order, at most `most`: a text file with a sentence a line, or a
/// tab-separated one whose first column is the source; plain or gzip. Throws trace::Refusal where there is
/// none.
std::vector<std::string> readSources(const std::string& path, std::size_t most);

} // namespace headscope::app

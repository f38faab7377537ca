#pragma once

#include "model/analysis/heads/corpus_statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace headscope::app {

/// Statistics of heads over a corpus, on standard output: the means with 95 % intervals over sentences, and
/// the roles that follow from them; of a random twin with its seed.
void printHeadStatistics(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin);
void printHeadStatisticsAsJson(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin);

} // namespace headscope::app

#pragma once

#include "model/analysis/heads/corpus_statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace headscope::app {

/// Print statistics of heads over a corpus to standard output: means with 95 % intervals over sentences, and
/// roles. `twin` is the seed if the model is a random twin.
void printHeadStatistics(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin);
void printHeadStatisticsAsJson(const analysis::CorpusStatistics& corpus, std::optional<std::uint64_t> twin);

} // namespace headscope::app

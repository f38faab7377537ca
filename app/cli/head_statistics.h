#pragma once

#include "model/analysis/corpus_statistics.h"

#include <cstddef>

namespace headscope::app {

/// Statistics of heads over a corpus, on standard output: the means with 95 % intervals over sentences, and
/// the roles that follow from them.
void printHeadStatistics(const analysis::CorpusStatistics& corpus);
void printHeadStatisticsAsJson(const analysis::CorpusStatistics& corpus);

} // namespace headscope::app

#pragma once

#include <QString>

#include "widgets/views/head_page/head_page.h"

namespace headscope::widgets {

/// One paragraph per role, or that there is none, and the sample they are measured on.
QString rolesInWords(const HeadFacts& facts);

/// One sentence per applicable statistic. `run` provides the tokens of sinks; null for a corpus.
QString statisticsInWords(const HeadFacts& facts, const trace::Run* run);

} // namespace headscope::widgets

#pragma once

#include <QString>

#include "widgets/views/head_page/head_page.h"

namespace headscope::widgets {

/// The roles, a paragraph each, or that there is none; with what they are a statement about.
QString rolesInWords(const HeadFacts& facts);

/// Every statistic that applies, a sentence each. `run` names the tokens of sinks; null for a corpus.
QString statisticsInWords(const HeadFacts& facts, const trace::Run* run);

} // namespace headscope::widgets

#pragma once

#include "model/trace/run.h"

#include <QString>

namespace headscope::widgets {

/// Why a view that needs a whole map shows none, and what to do; empty where the run has the map, or no such
/// head.
QString whyLeftOut(const trace::Run& run, const trace::AttentionSite& site);

} // namespace headscope::widgets

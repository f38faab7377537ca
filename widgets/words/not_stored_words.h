#pragma once

#include "model/trace/run.h"

#include <QString>

namespace headscope::widgets {

/// Explains that a view needs a whole map, which is not stored, and what to do; empty if the map is stored or
/// the run has no such head.
QString whyNotStored(const trace::Run& run, const trace::AttentionSite& site);

} // namespace headscope::widgets

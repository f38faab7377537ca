#pragma once

#include <QString>

#include "model/trace/model_summary.h"

namespace headscope::widgets {

/// The name for titles, which says of a trace that it is one.
QString modelTitle(const trace::ModelSummary& model);

/// What a trace is and why nothing of it is decoded or changed; empty for a model.
QString whyNothingRuns(const trace::ModelSummary& model);

} // namespace headscope::widgets

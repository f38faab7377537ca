#pragma once

#include <QString>

#include "model/trace/model_summary.h"

namespace headscope::widgets {

/// trace::classLabel() for a sentence or an axis.
QString classTitle(const trace::ModelSummary& model, std::size_t chosen);

} // namespace headscope::widgets

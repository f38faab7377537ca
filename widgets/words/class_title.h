#pragma once

#include <QString>

#include "model/trace/model_summary.h"

namespace headscope::widgets {

/// "negative", or "class 1" if the model does not name its classes. Counts from 0, as in the model's files.
QString classTitle(const trace::ModelSummary& model, std::size_t chosen);

} // namespace headscope::widgets

#pragma once

#include <QString>

#include "model/trace/model_summary.h"

namespace headscope::widgets {

/// "negative", or "class 1" where the model does not name its classes. Counts from 0, as its files do.
QString classTitle(const trace::ModelSummary& model, std::size_t chosen);

} // namespace headscope::widgets

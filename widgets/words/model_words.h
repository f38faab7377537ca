#pragma once

#include <QString>

#include "model/trace/model_summary.h"

namespace headscope::widgets {

/// "This model translates English to German."
QString taskInWords(const trace::ModelSummary& model);

/// As in "3 + 3 layers".
QString layersInWords(const trace::ModelSummary& model);
/// "marian, 6 + 6 layers, 8 heads per layer"
QString sizeInWords(const trace::ModelSummary& model);

} // namespace headscope::widgets

#pragma once

#include "model/trace/model_summary.h"

#include <cstddef>
#include <string>

namespace headscope::trace {

/// Returns the label of a class, or "#1" if the model has no labels or is null. Counts from 0, as in the
/// model's files and as Request::ratherThan names classes.
inline std::string classLabel(const ModelSummary* model, std::size_t index) {
    return model && index < model->classLabels.size() ? model->classLabels[index]
                                                      : "#" + std::to_string(index);
}

} // namespace headscope::trace

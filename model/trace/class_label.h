#pragma once

#include "model/trace/model_summary.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace headscope::trace {

/// Returns the label of a class, or "#1" if the model has no labels or is null. Counts from 0, as in the
/// model's files and as Request::ratherThan names classes.
inline std::string classLabel(const ModelSummary* model, std::size_t index) {
    return model && index < model->classLabels.size() ? model->classLabels[index]
                                                      : "#" + std::to_string(index);
}

/// Returns the number of "#7"; nullopt for other names.
inline std::optional<std::int64_t> numberNamed(const std::string& name) {
    std::int64_t number = 0;
    const char* const end = name.data() + name.size();
    if (!name.starts_with('#'))
        return std::nullopt;
    const auto [at, error] = std::from_chars(name.data() + 1, end, number);
    return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

} // namespace headscope::trace

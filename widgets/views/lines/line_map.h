#pragma once

#include "model/trace/run.h"
#include "widgets/map/shown_map.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// The maps drawn as lines: between the run's tokens, or between words.
struct LineMap {
    /// Labels of rows and columns, without values.
    ShownMap axes;
    /// Weights and mask by words, of the requested heads; nullopt: use the run's record.
    std::optional<trace::AttentionRecord> words;
};

/// Maps that are not stored are not grouped into words.
LineMap lineMap(const trace::Run& run, const trace::AttentionRecord& record, const std::vector<int>& heads,
                bool words);

} // namespace headscope::widgets

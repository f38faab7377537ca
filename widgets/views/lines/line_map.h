#pragma once

#include "model/trace/run.h"
#include "widgets/map/shown_map.h"

#include <optional>
#include <vector>

namespace headscope::widgets {

/// Whose weights are drawn as lines: of the run's own tokens, or of words.
struct LineMap {
    /// What rows and columns stand for; no values.
    ShownMap axes;
    /// Weights and mask by words, of the heads that were asked for; nothing: they are the run's.
    std::optional<trace::AttentionRecord> words;
};

/// Of a map that the run left out no words are made.
LineMap lineMap(const trace::Run& run, const trace::AttentionRecord& record, const std::vector<int>& heads,
                bool words);

} // namespace headscope::widgets

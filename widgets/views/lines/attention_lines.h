#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/task.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// The weight of a query on a key in one head, drawn as a line between the two.
struct AttentionLine {
    int query = 0;
    int key = 0;
    int head = 0;
    float weight = 0;
    friend bool operator==(const AttentionLine&, const AttentionLine&) = default;
};

/// The lines to draw, and a summary of the hidden ones.
struct StrongLines {
    std::vector<AttentionLine> lines; ///< weakest first, so that strong lines are drawn on top
    double threshold = 0;             ///< weights below it are hidden
    std::size_t leftOut = 0;          ///< number of allowed cells below it
    double weightLeftOut = 0;         ///< fraction of the total weight, 0 to 1
};

/// Returns the allowed cells of `heads` with weights of at least `threshold`. If these are more than `most`,
/// raises the threshold. Skips heads that the record does not have. Recomputes maps that are not stored,
/// which takes time. Throws trace::Cancelled.
StrongLines strongLines(const trace::AttentionRecord& record, const std::vector<int>& heads, double threshold,
                        std::size_t most, const trace::Task& work = {});

/// Returns every allowed cell of `query`, or else of `key`, with a weight of at least `threshold`; weakest
/// first. Returns nothing for a key if the map is not stored: that would need the whole map.
std::vector<AttentionLine> linesOfToken(const trace::AttentionRecord& record, const std::vector<int>& heads,
                                        std::optional<int> query, std::optional<int> key, double threshold);

} // namespace headscope::widgets

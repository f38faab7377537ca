#pragma once

#include "model/trace/attention_record.h"
#include "model/trace/task.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace headscope::widgets {

/// One head's weight of one query on one key, to be drawn as a line between the two.
struct AttentionLine {
    int query = 0;
    int key = 0;
    int head = 0;
    float weight = 0;
    friend bool operator==(const AttentionLine&, const AttentionLine&) = default;
};

/// The lines of several heads that are worth drawing, and what is said of the others.
struct StrongLines {
    std::vector<AttentionLine> lines; ///< weakest first, so that the strong ones lie on top
    double threshold = 0;             ///< weights below it are left out
    std::size_t leftOut = 0;          ///< open cells below it
    double weightLeftOut = 0;         ///< their part of all the weight, 0 to 1
};

/// Keeps weights of at least `threshold` and at most `most` lines: where there are more, the threshold rises.
/// Closed cells have no line, whatever weight they got. Heads that the record lacks are passed over.
/// Maps that the record left out are computed again, which takes time: throws trace::Cancelled.
StrongLines strongLines(const trace::AttentionRecord& record, const std::vector<int>& heads, double threshold,
                        std::size_t most, const trace::Task& work = {});

/// Of a map that the record left out those of a query alone: a key's need the whole map. Every open cell of
/// one query, or else of one key, with a weight of at least `threshold`; weakest first.
std::vector<AttentionLine> linesOfToken(const trace::AttentionRecord& record, const std::vector<int>& heads,
                                        std::optional<int> query, std::optional<int> key, double threshold);

} // namespace headscope::widgets

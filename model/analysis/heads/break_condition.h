#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <string>

namespace headscope::analysis {

/// A breakpoint for decoding. Decoding stops if either part is met; both are optional.
struct BreakCondition {
    std::string text;            ///< met if the output contains it or a token equals it; ignored if empty
    std::optional<double> below; ///< met if the chosen token's probability is lower
    bool empty() const { return text.empty() && !below; }
    friend bool operator==(const BreakCondition&, const BreakCondition&) = default;
};

/// Returns the first row at or after `from` whose chosen token meets the condition: the token completes the
/// text in the output (case-sensitive; spaces as in trace::joinedText()), equals the text, or has a
/// probability below the limit.
std::optional<std::size_t> nextBreak(const trace::Run& run, const BreakCondition& condition,
                                     std::size_t from);

} // namespace headscope::analysis

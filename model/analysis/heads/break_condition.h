#pragma once

#include "model/trace/run.h"

#include <cstddef>
#include <optional>
#include <string>

namespace headscope::analysis {

/// Where running stops, as a breakpoint of a debugger. Either part may be missing; any that is there stops.
struct BreakCondition {
    std::string text;            ///< the output contains it, or a token is it; empty: whatever comes
    std::optional<double> below; ///< the chosen token's probability is lower
    bool empty() const { return text.empty() && !below; }
    friend bool operator==(const BreakCondition&, const BreakCondition&) = default;
};

/// The first row at or after `from` whose chosen token meets the condition: it completes the text in the
/// output (case as typed; spaces as in trace::joinedText()) or is spelt so, or its probability is below.
std::optional<std::size_t> nextBreak(const trace::Run& run, const BreakCondition& condition,
                                     std::size_t from);

} // namespace headscope::analysis

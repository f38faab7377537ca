#pragma once

#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::app {

// Everything that was decoded beside the shown path, as "tree" of a trace's tokens.json:
// resources/manual/traces.md.

/// Tokens; of a larger tree a trace keeps the paths alone, so that its words can be read.
inline constexpr std::size_t largestTree = 100'000;

/// Of a run that shows the last of its paths, with what its search met beside them if that is wanted.
nlohmann::ordered_json treeJson(const trace::Run& run, bool withSearch);

/// The reverse, without what feeding the tokens computed, which a trace holds of the shown path alone.
struct TraceTree {
    trace::DecodeTree tree;
    std::vector<trace::RunPath> paths; ///< one at least; the last one is shown
};
/// `where` names the file. What no search can have left is refused. Throws trace::Refusal.
TraceTree traceTree(const nlohmann::json& object, const std::string& where);

} // namespace headscope::app

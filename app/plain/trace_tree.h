#pragma once

#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::app {

// Everything that was decoded beside the shown path, as "tree" of a trace's tokens.json: README, "Traces".

/// Tokens; of a larger tree a trace keeps the shown path alone, so that its words can be read.
inline constexpr std::size_t largestTree = 100'000;

/// Of a run with a path.
nlohmann::ordered_json treeJson(const trace::Run& run);

/// The reverse, without what feeding the tokens computed, which a trace holds of the shown path alone.
struct TraceTree {
    trace::DecodeTree tree;
    std::vector<trace::RunPath> paths;
    trace::DecodeTree::NodeId shown = 0; ///< last of the shown path
};
/// `where` names the file. What no search can have left is refused. Throws trace::Refusal.
TraceTree traceTree(const nlohmann::json& object, const std::string& where);

} // namespace headscope::app

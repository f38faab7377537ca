#pragma once

#include "model/trace/run.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace headscope::app {

// The decode tree, "tree" in a trace's tokens.json: resources/manual/traces.md.

/// Maximum number of tokens; of a larger tree only the paths are stored, so that metadata stay readable.
inline constexpr std::size_t largestTree = 100'000;

/// `run` must show the last of its paths. `withSearch` includes nodes of the search outside the paths.
nlohmann::ordered_json treeJson(const trace::Run& run, bool withSearch);

/// A decode tree read from a trace, without computed rows, which a trace contains for the shown path only.
struct TraceTree {
    trace::DecodeTree tree;
    std::vector<trace::RunPath> paths; ///< at least one; the last one is shown
};
/// The inverse of treeJson(). `where` names the file. Throws trace::Refusal, also for an impossible search.
TraceTree traceTree(const nlohmann::json& object, const std::string& where);

} // namespace headscope::app

#include "app/traces/trace_tree.h"

#include "app/traces/trace_names.h"
#include "model/files/limited_json.h"
#include "model/trace/refusal.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace headscope::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using trace::DecodeNode;
using trace::DecodeTree;
using trace::Fate;
using trace::SearchRecord;

constexpr std::array<std::pair<Fate, std::string_view>, 6> fateNames{{{Fate::Extended, "extended"},
                                                                      {Fate::Finished, "finished"},
                                                                      {Fate::Pruned, "pruned"},
                                                                      {Fate::EndedTooLow, "ended too low"},
                                                                      {Fate::Displaced, "displaced"},
                                                                      {Fate::Unfinished, "unfinished"}}};

[[noreturn]] void contradict(const std::string& where, const std::string& expected,
                             const std::string& found) {
    throw trace::Refusal({.what = "The decode tree of this trace contradicts itself",
                          .where = where + ", \"tree\"",
                          .expected = expected,
                          .found = found,
                          .wayOut = "write it anew, or leave \"tree\" out"});
}

/// Returns a list with one value per node.
template <class Value>
ordered_json listOf(const std::vector<DecodeNode>& nodes, const Value& value) {
    auto list = ordered_json::array();
    for (const auto& node : nodes)
        list.push_back(value(node));
    return list;
}

/// Returns only the paths, without other nodes of the search.
trace::Run ofPathsAlone(const trace::Run& run) {
    std::vector<bool> isKept(run.tree.nodes().size(), false);
    for (const auto& path : run.paths)
        for (const auto id : run.tree.path(path.leaf))
            isKept[id] = true;
    trace::Run kept;
    std::vector<DecodeTree::NodeId> numbers(isKept.size());
    for (std::size_t id = 0; id < isKept.size(); ++id) {
        if (!isKept[id])
            continue;
        auto node = run.tree.node(id);
        node.search.reset();
        if (node.parent)
            node.parent = numbers[*node.parent];
        numbers[id] = kept.tree.add(std::move(node));
    }
    kept.paths = run.paths;
    for (auto& path : kept.paths)
        path.leaf = numbers[path.leaf];
    return kept;
}

ordered_json searchesOf(const std::vector<DecodeNode>& nodes) {
    auto searched = ordered_json::array();
    std::vector<DecodeNode> met;
    for (std::size_t id = 0; id < nodes.size(); ++id)
        if (nodes[id].search) {
            searched.push_back(id);
            met.push_back(nodes[id]);
        }
    return {{"nodes", searched},
            {"steps", listOf(met, [](const auto& node) { return node.search->step; })},
            {"ranks", listOf(met, [](const auto& node) { return node.search->rank; })},
            {"scores", listOf(met, [](const auto& node) { return node.search->score; })},
            {"final_scores", listOf(met, [](const auto& node) { return node.search->finalScore; })},
            {"fates", listOf(met, [](const auto& node) { return nameIn(fateNames, node.search->fate); })}};
}

ordered_json wholeTree(const trace::Run& run) {
    const auto& nodes = run.tree.nodes();
    ordered_json json{
        {"parents",
         listOf(nodes,
                [](const auto& node) { return node.parent ? ordered_json(*node.parent) : ordered_json(); })},
        {"ids", listOf(nodes, [](const auto& node) { return node.token.id; })},
        {"pieces", listOf(nodes, [](const auto& node) { return node.token.piece; })},
        {"roles", listOf(nodes, [](const auto& node) { return nameIn(roleNames, node.token.role); })},
        {"log_probabilities", listOf(nodes, [](const auto& node) { return node.logProbability; })},
        {"ranks", listOf(nodes, [](const auto& node) { return node.rank; })}};
    if (auto searches = searchesOf(nodes); !searches["nodes"].empty())
        json["search"] = std::move(searches);
    json["paths"] = ordered_json::array();
    for (const auto& path : run.paths)
        json["paths"].push_back({{"leaf", path.leaf},
                                 {"forced_tokens", path.forcedTokens},
                                 {"decoded_on", path.decodedOn},
                                 {"searched", path.searched},
                                 {"output", path.output}});
    return json;
}

/// Returns a list that must have `size` entries.
const json& listAt(const json& object, const char* key, std::size_t size, const std::string& where) {
    const auto& list = files::arrayAt(object, key, where);
    if (list.size() != size)
        contradict(where, std::to_string(size) + " entries in \"" + key + "\"", std::to_string(list.size()));
    return list;
}

std::int64_t wholeNumberOf(const json& value, const char* key, const std::string& where) {
    if (!value.is_number_integer())
        contradict(where, std::string("whole numbers in \"") + key + "\"", value.type_name());
    return value.get<std::int64_t>();
}

/// NaN if the value is not a number.
double numberOf(const json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string textOf(const json& value, const char* key, const std::string& where) {
    if (!value.is_string())
        contradict(where, std::string("texts in \"") + key + "\"", value.type_name());
    return value.get<std::string>();
}

/// Returns an index below `below`.
std::size_t placeOf(const json& value, const char* key, std::size_t below, const std::string& where) {
    const auto place = wholeNumberOf(value, key, where);
    if (place < 0 || static_cast<std::uint64_t>(place) >= below)
        contradict(where, std::string("numbers below ") + std::to_string(below) + " in \"" + key + "\"",
                   std::to_string(place));
    return static_cast<std::size_t>(place);
}

DecodeTree nodesOf(const json& object, const std::string& where) {
    const auto& parents = files::arrayAt(object, "parents", where);
    const auto list = [&](const char* key) -> const json& {
        return listAt(object, key, parents.size(), where);
    };
    const auto &ids = list("ids"), &pieces = list("pieces"), &roles = list("roles"),
               &logProbabilities = list("log_probabilities"), &ranks = list("ranks");
    if (parents.empty())
        contradict(where, "the start token at least", "no tokens");
    DecodeTree tree;
    for (std::size_t id = 0; id < parents.size(); ++id) {
        DecodeNode node{.token = {.id = wholeNumberOf(ids[id], "ids", where),
                                  .piece = textOf(pieces[id], "pieces", where),
                                  .role = valueIn(roleNames, textOf(roles[id], "roles", where), where,
                                                  "role of a token")},
                        .logProbability = numberOf(logProbabilities[id]),
                        .rank = wholeNumberOf(ranks[id], "ranks", where)};
        if (id > 0)
            node.parent = placeOf(parents[id], "parents", id, where);
        tree.add(std::move(node));
    }
    return tree;
}

/// Reads the results of the search: per node its step, rank, scores and fate.
void readSearches(const json& object, const std::string& where, DecodeTree& tree) {
    const auto& nodes = files::arrayAt(object, "nodes", where);
    const auto list = [&](const char* key) -> const json& {
        return listAt(object, key, nodes.size(), where);
    };
    const auto &steps = list("steps"), &ranks = list("ranks"), &scores = list("scores"),
               &finals = list("final_scores"), &fates = list("fates");
    const auto size = tree.nodes().size();
    std::optional<std::size_t> root;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto id = placeOf(nodes[i], "nodes", size, where);
        const auto parent = tree.node(id).parent;
        const SearchRecord record{
            .step = static_cast<int>(placeOf(steps[i], "steps", size, where)),
            .rank = static_cast<int>(placeOf(ranks[i], "ranks", size, where)),
            .score = numberOf(scores[i]),
            .finalScore = numberOf(finals[i]),
            .fate = valueIn(fateNames, textOf(fates[i], "fates", where), where, "fate of a hypothesis")};
        const auto* before = parent && tree.node(*parent).search ? &*tree.node(*parent).search : nullptr;
        const bool begins = record.step == 0 && parent && !before && (!root || root == parent);
        if (!begins && (!before || before->step + 1 != record.step))
            contradict(where, "a search that goes on from one token, step by step",
                       "step " + std::to_string(record.step) + " at node " + std::to_string(id));
        if (begins)
            root = parent;
        tree.setSearch(id, record);
    }
}

} // namespace

ordered_json treeJson(const trace::Run& run, bool withSearch) {
    return wholeTree(withSearch && run.tree.nodes().size() <= largestTree ? run : ofPathsAlone(run));
}

TraceTree traceTree(const json& object, const std::string& where) {
    TraceTree read{.tree = nodesOf(object, where)};
    const auto size = read.tree.nodes().size();
    if (object.contains("search"))
        readSearches(files::objectAt(object, "search", where), where, read.tree);
    for (const auto& path : files::arrayAt(object, "paths", where))
        read.paths.push_back({.leaf = placeOf(files::memberAt(path, "leaf", where), "leaf", size, where),
                              .forcedTokens = placeOf(files::memberAt(path, "forced_tokens", where),
                                                      "forced_tokens", size + 1, where),
                              .decodedOn = files::booleanAt(path, "decoded_on", where),
                              .searched = files::booleanAt(path, "searched", where),
                              .output = files::stringAt(path, "output", where)});
    if (read.paths.empty())
        contradict(where, "the shown path at least, the last of \"paths\"", "none");
    return read;
}

} // namespace headscope::app

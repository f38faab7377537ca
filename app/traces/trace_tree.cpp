#include "app/traces/trace_tree.h"

#include "app/traces/json_fields.h"
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

} // namespace

template <class Visitor>
void fields(Visitor& visitor, typename Visitor::template Of<trace::RunPath>& path) {
    visitor.required("leaf", path.leaf);
    visitor.required("forced_tokens", path.forcedTokens);
    visitor.required("decoded_on", path.decodedOn);
    visitor.required("searched", path.searched);
    visitor.required("output", path.output);
}

template <>
struct Names<Fate> {
    static constexpr auto& table = fateNames;
    static constexpr const char* what = "fate of a hypothesis";
};

namespace {

[[noreturn]] void contradict(const std::string& where, const std::string& expected,
                             const std::string& found) {
    throw trace::Refusal({.what = "The decode tree of this trace contradicts itself",
                          .where = where + ", \"tree\"",
                          .expected = expected,
                          .found = found,
                          .wayOut = "write it anew, or leave \"tree\" out"});
}

/// Lists with one entry for each node.
class ListWriter {
  public:
    template <class T>
    using Of = const T;
    explicit ListWriter(ordered_json& json) : json_(json) {}
    template <class T>
    void entry(const char* key, const T& value) {
        json_[key].push_back(app::toJson(value));
    }

  private:
    ordered_json& json_;
};

class ListReader {
  public:
    template <class T>
    using Of = T;
    /// `size`: of every list. `below`: the end of whole numbers that count something.
    ListReader(const json& object, const std::string& where, std::size_t size, std::size_t below)
        : object_(object), where_(where), size_(size), below_(below) {}

    void next() { ++place_; }
    template <class T>
    void entry(const char* key, T& value) {
        const auto& list = files::arrayAt(object_, key, where_);
        if (list.size() != size_)
            contradict(where_, std::to_string(size_) + " entries in \"" + key + "\"",
                       std::to_string(list.size()));
        read(list[place_], key, value);
    }

  private:
    void read(const json& entry, const char* key, std::int64_t& value) {
        if (!entry.is_number_integer())
            contradict(where_, std::string("whole numbers in \"") + key + "\"", entry.type_name());
        value = entry.get<std::int64_t>();
    }
    void read(const json& entry, const char* key, std::size_t& value) {
        std::int64_t number = 0;
        read(entry, key, number);
        if (number < 0 || count(number) >= below_)
            contradict(where_, std::string("numbers below ") + std::to_string(below_) + " in \"" + key + "\"",
                       std::to_string(number));
        value = count(number);
    }
    void read(const json& entry, const char* key, int& value) {
        std::size_t number = 0;
        read(entry, key, number);
        value = static_cast<int>(number);
    }
    void read(const json& entry, const char*, double& value) {
        value = entry.is_number() ? entry.get<double>() : std::numeric_limits<double>::quiet_NaN();
    }
    void read(const json& entry, const char* key, std::string& value) {
        if (!entry.is_string())
            contradict(where_, std::string("texts in \"") + key + "\"", entry.type_name());
        value = entry.get<std::string>();
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void read(const json& entry, const char* key, Enum& value) {
        std::string name;
        read(entry, key, name);
        value = valueIn(Names<Enum>::table, name, where_, Names<Enum>::what);
    }

    const json& object_;
    const std::string& where_;
    std::size_t size_;
    std::size_t below_;
    std::size_t place_ = 0;
};

/// All of a node but its parent and the search.
template <class Lists>
void entries(Lists& lists, typename Lists::template Of<DecodeNode>& node) {
    lists.entry("ids", node.token.id);
    lists.entry("pieces", node.token.piece);
    lists.entry("roles", node.token.role);
    lists.entry("log_probabilities", node.logProbability);
    lists.entry("ranks", node.rank);
}

template <class Lists>
void entries(Lists& lists, typename Lists::template Of<std::size_t>& node,
             typename Lists::template Of<SearchRecord>& record) {
    lists.entry("nodes", node);
    lists.entry("steps", record.step);
    lists.entry("ranks", record.rank);
    lists.entry("scores", record.score);
    lists.entry("final_scores", record.finalScore);
    lists.entry("fates", record.fate);
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

ordered_json wholeTree(const trace::Run& run) {
    ordered_json json, search;
    ListWriter lists(json), searched(search);
    const auto& nodes = run.tree.nodes();
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        json["parents"].push_back(nodes[id].parent ? ordered_json(*nodes[id].parent) : ordered_json());
        entries(lists, nodes[id]);
        if (nodes[id].search)
            entries(searched, id, *nodes[id].search);
    }
    if (!search.is_null())
        json["search"] = std::move(search);
    json["paths"] = app::toJson(run.paths);
    return json;
}

DecodeTree nodesOf(const json& object, const std::string& where) {
    const auto size = files::arrayAt(object, "parents", where).size();
    if (size == 0)
        contradict(where, "the start token at least", "no tokens");
    DecodeTree tree;
    ListReader lists(object, where, size, size);
    for (std::size_t id = 0; id < size; ++id, lists.next()) {
        DecodeNode node;
        entries(lists, node);
        if (id > 0)
            lists.entry("parents", node.parent.emplace());
        if (id > 0 && *node.parent >= id)
            contradict(where, "numbers below " + std::to_string(id) + " in \"parents\"",
                       std::to_string(*node.parent));
        tree.add(std::move(node));
    }
    return tree;
}

/// Reads the results of the search.
void readSearches(const json& object, const std::string& where, DecodeTree& tree) {
    const auto size = files::arrayAt(object, "nodes", where).size();
    ListReader lists(object, where, size, tree.nodes().size());
    std::optional<std::size_t> root;
    for (std::size_t i = 0; i < size; ++i, lists.next()) {
        std::size_t id = 0;
        SearchRecord record;
        entries(lists, id, record);
        const auto parent = tree.node(id).parent;
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
    readAt(object, "paths", where, read.paths);
    for (const auto& path : read.paths)
        if (path.leaf >= size || path.forcedTokens > size)
            contradict(where,
                       "leaves below and forced tokens up to " + std::to_string(size) + " in \"paths\"",
                       std::to_string(app::size(path.leaf)) + " and " +
                           std::to_string(app::size(path.forcedTokens)));
    if (read.paths.empty())
        contradict(where, "the shown path at least, the last of \"paths\"", "none");
    return read;
}

} // namespace headscope::app

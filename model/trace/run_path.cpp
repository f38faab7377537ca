#include "model/trace/run_path.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace headscope::trace {

namespace {

/// Path to a node that no requested path leads to. Such a node belongs to the same search as the shown path.
RunPath pathOfSearch(const Run& run, DecodeTree::NodeId leaf) {
    std::vector<Token> tokens;
    for (const auto id : run.tree.path(leaf))
        tokens.push_back(run.tree.node(id).token);
    const auto searched = searchedPath(run);
    const std::size_t forced = searched ? run.paths[*searched].forcedTokens : 1;
    return {.leaf = leaf, .forcedTokens = std::min(forced, tokens.size()), .output = joinedText(tokens)};
}

} // namespace

void showPath(Run& run, const RunPath& path) {
    run.path = run.tree.path(path.leaf);
    run.decoder = stackSelfRows(run.tree, run.path);
    run.cross = stackCrossRows(run.tree, run.path);
    run.target.clear();
    run.next.clear();
    for (std::size_t t = 0; t < run.path.size(); ++t) {
        const auto& node = run.tree.node(run.path[t]);
        if (!node.row)
            continue;
        run.target.push_back(node.token);
        // No token was chosen after a fully forced target, before padding or at the end: use the best
        // candidate.
        const bool chosen = path.decodedOn && t + 1 < run.path.size() &&
                            run.tree.node(run.path[t + 1]).token.role != TokenRole::Padding;
        run.next.push_back(chosen                         ? run.tree.node(run.path[t + 1]).token
                           : node.row->candidates.empty() ? Token() // a trace without candidates
                                                          : node.row->candidates.front().token);
    }
    run.forcedRows = std::min(path.forcedTokens - (path.decodedOn ? 1 : 0), run.target.size());
    run.output = path.output;
}

std::optional<std::size_t> shownPath(const Run& run) {
    for (std::size_t i = run.paths.size(); i-- > 0;)
        if (!run.path.empty() && run.paths[i].leaf == run.path.back())
            return i;
    return std::nullopt;
}

std::vector<DecodeTree::NodeId> pathWithoutPadding(const Run& run) {
    auto path = run.path;
    // A path that was chosen in the tree may end before the padding.
    for (int i = 0; i < run.request.padding.target && path.size() > 1 &&
                    run.tree.node(path.back()).token.role == TokenRole::Padding;
         ++i)
        path.pop_back();
    return path;
}

bool readsReference(const Run& run) {
    const auto shown = shownPath(run);
    return shown && !run.paths[*shown].decodedOn;
}

bool isCutOff(const Run& run) {
    const auto& special = run.model->special;
    const auto path = pathWithoutPadding(run);
    return special.end && !path.empty() && !special.isEnd(run.tree.node(path.back()).token.id);
}

std::optional<std::size_t> searchedPath(const Run& run) {
    for (std::size_t i = run.paths.size(); i-- > 0;)
        if (run.paths[i].searched)
            return i;
    return std::nullopt;
}

bool canShowEveryPath(const Run& run) {
    const DecodeRow* first = run.path.empty() ? nullptr : run.tree.node(run.path.front()).row.get();
    const bool inRows = !first || !first->self.empty() || !first->cross.empty();
    return inRows && !breaksCausality(run.request.interventions);
}

std::shared_ptr<Run> atPath(const Run& run, DecodeTree::NodeId leaf) {
    auto other = std::make_shared<Run>(run);
    const auto known =
        std::ranges::find_if(run.paths, [&](const RunPath& path) { return path.leaf == leaf; });
    showPath(*other, known == run.paths.end() ? pathOfSearch(run, leaf) : *known);
    for (std::size_t layer = 0; layer < other->cross.size() && layer < run.cross.size(); ++layer) {
        other->cross[layer].k = run.cross[layer].k; // from the source: the same for every path
        other->cross[layer].v = run.cross[layer].v;
    }
    other->unreached = unreachedChanges(*other);
    return other;
}

namespace {

std::string branchText(const Run& run, DecodeTree::NodeId leaf) {
    std::string text;
    for (const auto node : run.tree.path(leaf))
        text += (text.empty() ? "" : ",") + std::to_string(run.tree.node(node).token.id);
    return text + (run.tree.node(leaf).row ? "+" : "");
}

} // namespace

std::vector<std::string> otherBranches(const Run& run, std::size_t shown) {
    std::vector<std::string> others;
    for (std::size_t path = 0; path < run.paths.size(); ++path)
        if (path != shown)
            others.push_back(branchText(run, run.paths[path].leaf));
    return others;
}

std::optional<DecodePath> branchPath(const std::string& text) {
    const bool isFed = text.ends_with('+');
    TargetIds ids;
    const char* at = text.data();
    const char* const end = at + text.size() - (isFed ? 1 : 0);
    while (at < end) {
        std::int64_t id = 0;
        const auto read = std::from_chars(at, end, id);
        if (read.ec != std::errc() || (read.ptr != end && *read.ptr != ','))
            return std::nullopt;
        ids.ids.push_back(id);
        at = read.ptr == end ? end : read.ptr + 1;
    }
    if (ids.ids.empty())
        return std::nullopt;
    return DecodePath{.forced = std::move(ids), .newTokens = isFed ? 0 : 1, .ends = !isFed};
}

std::string joinedText(const std::vector<Token>& tokens) {
    const bool marked = std::ranges::any_of(
        tokens, [](const Token& token) { return token.piece.find(spaceMark) != std::string::npos; });
    std::string text;
    for (const auto& token : tokens) {
        if (isSpecial(token.role))
            continue;
        std::string piece = token.piece;
        for (auto at = piece.find(spaceMark); at != std::string::npos; at = piece.find(spaceMark, at))
            piece.replace(at, spaceMark.size(), " ");
        text += marked || text.empty() ? piece : " " + piece;
    }
    return text.starts_with(' ') ? text.substr(1) : text;
}

} // namespace headscope::trace

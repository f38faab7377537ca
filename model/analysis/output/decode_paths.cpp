#include "model/analysis/output/decode_paths.h"

#include "model/analysis/output/path_scores.h"
#include "model/trace/run_path.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace headscope::analysis {

namespace {

using trace::Fate;
using NodeId = trace::DecodeTree::NodeId;
using What = PathRow::What;

/// A dropped path with fewer nodes of its own was dropped at once, or after one step.
constexpr std::size_t leastOwn = 3;

bool isAlive(const trace::SearchRecord& record) {
    return record.fate == Fate::Extended || record.fate == Fate::Unfinished;
}

std::size_t promptOf(const trace::Run& run) {
    const bool isGiven = run.model && run.model->isDecoderAlone() && !run.source.empty();
    return isGiven ? run.source.size() - 1 : 0;
}

class PathFinder {
  public:
    explicit PathFinder(const trace::Run& run) : run_(run), prompt_(promptOf(run)) {
        std::vector<bool> isContinued(run.tree.nodes().size());
        for (const auto& node : run.tree.nodes()) {
            if (!node.search)
                continue;
            isContinued[*node.parent] = true;
            if (isAlive(*node.search))
                alive_[node.search->step].push_back(*node.search);
            hasFinished_ = hasFinished_ || node.search->fate == Fate::Finished;
        }
        for (NodeId id = 0; id < run.tree.nodes().size(); ++id)
            if (const auto& search = run.tree.node(id).search; search && !isContinued[id])
                (isKept(*search) ? kept_ : dropped_).push_back(id);
        std::ranges::stable_sort(kept_, std::greater(),
                                 [&](NodeId id) { return run.tree.node(id).search->finalScore; });
    }

    PathRows of(PathsOf which) && {
        add(run_.path.empty() ? 0 : trace::pathWithoutPadding(run_).back());
        for (std::size_t path = 0; path < run_.paths.size(); ++path)
            add(endOf(run_.paths[path]));
        if (which != PathsOf::Mine)
            std::ranges::for_each(kept_, [this](NodeId leaf) { add(leaf); });
        if (which == PathsOf::All || which == PathsOf::Every)
            addDropped(which == PathsOf::Every ? 1 : leastOwn);
        PathRows made{.rows = inOrder(), .folded = folded_, .prompt = prompt_, .columns = 0};
        for (const auto& row : made.rows)
            made.columns = std::max(made.columns, row.nodes.size());
        return made;
    }

  private:
    /// Where nothing finished, those that were alive at the end are what was found.
    bool isKept(const trace::SearchRecord& record) const {
        return record.fate == Fate::Finished || record.fate == Fate::Displaced ||
               (record.fate == Fate::Unfinished && !hasFinished_);
    }

    /// A reference has an end token that was not fed.
    NodeId endOf(const trace::RunPath& path) const {
        const auto scores = path.decodedOn ? std::vector<TokenScore>() : referenceScores(run_, path);
        return scores.empty() ? path.leaf : scores.back().node;
    }

    std::vector<NodeId> nodesTo(NodeId leaf) const {
        auto nodes = run_.tree.path(leaf);
        nodes.erase(nodes.begin(),
                    nodes.begin() + static_cast<std::ptrdiff_t>(std::min(nodes.size(), 1 + prompt_)));
        while (!nodes.empty() && run_.tree.node(nodes.back()).token.role == trace::TokenRole::Padding)
            nodes.pop_back();
        return nodes;
    }

    std::size_t forkOf(const std::vector<NodeId>& nodes) const {
        return std::ranges::find_if(nodes, [this](NodeId id) { return !owner_.contains(id); }) -
               nodes.begin();
    }

    /// Nothing where there is such a row already.
    void add(NodeId leaf) {
        PathRow row = described(leaf);
        row.fork = forkOf(row.nodes);
        if (!rows_.empty() && row.fork == row.nodes.size())
            return;
        if (row.fork > 0 && !rows_.empty())
            row.from = owner_.at(row.nodes[row.fork - 1]);
        else if (!rows_.empty())
            row.from = 0;
        for (std::size_t column = row.fork; column < row.nodes.size(); ++column)
            owner_[row.nodes[column]] = rows_.size();
        rows_.push_back(std::move(row));
    }

    /// Those with most nodes of their own first, of which an added one may take some away.
    void addDropped(std::size_t least) {
        const auto own = [this](NodeId leaf) {
            const auto nodes = nodesTo(leaf);
            return nodes.size() - forkOf(nodes);
        };
        using Entry = std::pair<std::size_t, NodeId>;
        const auto isLater = [](const Entry& one, const Entry& other) {
            return one.first != other.first ? one.first < other.first : one.second > other.second;
        };
        std::priority_queue<Entry, std::vector<Entry>, decltype(isLater)> all(isLater);
        for (const NodeId leaf : dropped_)
            all.emplace(own(leaf), leaf);
        for (; !all.empty();) {
            const auto [before, leaf] = all.top();
            all.pop();
            const auto now = own(leaf);
            if (now < before && now >= least)
                all.emplace(now, leaf);
            else if (now >= least)
                add(leaf);
            else
                folded_ += now > 0;
        }
    }

    PathRow described(NodeId leaf) const {
        PathRow row{.what = What::Greedy, .path = {}, .nodes = nodesTo(leaf)};
        const auto path = std::ranges::find(run_.paths, row.nodes.empty() ? leaf : row.nodes.back(),
                                            [this](const auto& each) { return nodesEnd(endOf(each)); });
        const auto shown = rows_.empty() ? trace::shownPath(run_) : std::nullopt;
        if (shown)
            row.path = shown;
        else if (path != run_.paths.end())
            row.path = path - run_.paths.begin();
        const auto& last = run_.tree.node(row.nodes.empty() ? leaf : row.nodes.back());
        const auto place = std::ranges::find(kept_, row.nodes.empty() ? leaf : row.nodes.back());
        row.beam = place == kept_.end() ? 0 : place - kept_.begin() + 1;
        row.isEnded = run_.model && !row.nodes.empty() && run_.model->special.isEnd(last.token.id);
        row.isGreedy = true;
        for (const NodeId id : row.nodes) {
            row.total += run_.tree.node(id).logProbability;
            row.isGreedy = row.isGreedy && run_.tree.node(id).rank == 0;
        }
        row.what = whatOf(row, last);
        if (last.search)
            row.finalScore = last.search->finalScore;
        row.cut = cutOf(row);
        return row;
    }

    NodeId nodesEnd(NodeId leaf) const {
        const auto nodes = nodesTo(leaf);
        return nodes.empty() ? leaf : nodes.back();
    }

    What whatOf(const PathRow& row, const trace::DecodeNode& last) const {
        const auto* path = row.path ? &run_.paths[*row.path] : nullptr;
        if (path && !path->decodedOn)
            return What::Forced;
        // A command names other paths by their ids.
        const auto& asked = run_.request.paths;
        const bool isNamed = path && *row.path < asked.size() && asked[*row.path].ends;
        if (path && path->forcedTokens > 1 + prompt_ && !(isNamed && row.isGreedy))
            return What::Branch;
        if (!path && last.search)
            return row.beam > 0 ? What::Beam : What::Dropped;
        return run_.request.decoding.sample               ? What::Sampled
               : row.beam > 0 || (path && path->searched) ? What::Beam
                                                          : What::Greedy;
    }

    std::optional<PathRow::Cut> cutOf(const PathRow& row) const {
        for (std::size_t at = 0; at < row.nodes.size(); ++at) {
            const auto& search = run_.tree.node(row.nodes[at]).search;
            if (!search || (search->fate != Fate::Pruned && search->fate != Fate::EndedTooLow))
                continue;
            PathRow::Cut cut{.at = at, .better = 0, .score = search->score, .lastKept = {}};
            for (const auto& each : aliveAt(search->step)) {
                cut.better += each.rank < search->rank;
                cut.lastKept = std::min(cut.lastKept.value_or(each.score), each.score);
            }
            return cut;
        }
        const auto& last = row.nodes.empty() ? std::nullopt : run_.tree.node(row.nodes.back()).search;
        if (!last || last->fate != Fate::Extended)
            return std::nullopt;
        // No candidate continues it.
        PathRow::Cut cut{.at = row.nodes.size(), .better = 0, .score = {}, .lastKept = {}};
        for (const auto& each : aliveAt(last->step + 1)) {
            ++cut.better;
            cut.lastKept = std::min(cut.lastKept.value_or(each.score), each.score);
        }
        return cut.better > 0 ? std::optional(cut) : std::nullopt;
    }

    const std::vector<trace::SearchRecord>& aliveAt(int step) const {
        static const std::vector<trace::SearchRecord> none;
        const auto found = alive_.find(step);
        return found == alive_.end() ? none : found->second;
    }

    std::vector<PathRow> inOrder() {
        std::vector<std::vector<std::size_t>> leaving(rows_.size());
        for (std::size_t row = 1; row < rows_.size(); ++row)
            leaving[*rows_[row].from].push_back(row);
        std::vector<PathRow> ordered;
        const std::function<void(std::size_t, std::optional<std::size_t>)> put =
            [&](std::size_t row, std::optional<std::size_t> from) {
                const std::size_t place = ordered.size();
                ordered.push_back(rows_[row]);
                ordered.back().from = from;
                std::ranges::stable_sort(leaving[row], std::greater(), [&](std::size_t each) {
                    return std::pair(rows_[each].fork, rows_[each].total);
                });
                for (const std::size_t each : leaving[row])
                    put(each, place);
            };
        put(0, {});
        return ordered;
    }

    const trace::Run& run_;
    std::size_t prompt_;
    std::map<int, std::vector<trace::SearchRecord>> alive_; ///< by step
    bool hasFinished_ = false;
    std::vector<NodeId> kept_; ///< leaves, best first
    std::vector<NodeId> dropped_;
    std::vector<PathRow> rows_;
    std::map<NodeId, std::size_t> owner_; ///< the row that brought a node
    std::size_t folded_ = 0;
};

} // namespace

PathRows pathRows(const trace::Run& run, PathsOf which) {
    return run.tree.empty() ? PathRows() : PathFinder(run).of(which);
}

int keptBefore(const trace::Run& run, const trace::SearchRecord& record) {
    return std::ranges::count_if(run.tree.nodes(), [&](const trace::DecodeNode& node) {
        return node.search && node.search->step == record.step && node.search->rank < record.rank &&
               isAlive(*node.search);
    });
}

} // namespace headscope::analysis

#include "model/trace/decode_tree.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace headscope::trace {

namespace {

/// Returns the rows of the fed nodes of `path`. Only the last node may be without one.
std::vector<const DecodeRow*> fedRows(const DecodeTree& tree, const std::vector<DecodeTree::NodeId>& path) {
    std::vector<const DecodeRow*> rows;
    for (const auto id : path)
        if (const auto& row = tree.node(id).row)
            rows.push_back(row.get());
    return rows;
}

using RecordsOf = const std::vector<AttentionRecord>& (*)(const DecodeRow&);

const std::vector<AttentionRecord>& selfRecords(const DecodeRow& row) {
    return row.together ? row.together->self : row.self;
}

const std::vector<AttentionRecord>& crossRecords(const DecodeRow& row) {
    return row.together ? row.together->cross : row.cross;
}

/// One layer of all steps of a path.
struct Steps {
    std::vector<const DecodeRow*> rows;
    RecordsOf recordsOf = nullptr;
    std::size_t layer = 0;

    const AttentionRecord& record(std::size_t t) const { return recordsOf(*rows[t])[layer]; }
    const AttentionRecord& last() const { return record(rows.size() - 1); }
    /// Keys of the last row. Shared records have more if the path continues after it.
    std::size_t keys() const {
        return rows.back()->together && last().site.kind == AttentionKind::DecoderSelf ? rows.size()
                                                                                       : last().keys();
    }
    /// Index of the step's row in its record.
    std::size_t row(std::size_t t) const { return rows[t]->together ? rows[t]->place : 0; }
};

/// Stacks the rows of all steps: [heads, T, columns], zero beyond the end of shorter rows. Empty if a step
/// has none.
HeadStack stackRows(const Steps& steps, HeadStack AttentionRecord::*part) {
    for (std::size_t t = 0; t < steps.rows.size(); ++t)
        if ((steps.record(t).*part).empty())
            return {};
    const HeadStack& last = steps.last().*part;
    HeadStack stacked(last.heads(), steps.rows.size(), last.columns());
    for (std::size_t t = 0; t < steps.rows.size(); ++t) {
        const HeadStack& step = steps.record(t).*part;
        for (std::size_t h = 0; h < step.heads(); ++h)
            std::ranges::copy(step.head(h).row(steps.row(t)), &stacked.at(h, t, 0));
    }
    return stacked;
}

/// Returns the recipe of the last row with one, which covers all keys; null if there is none.
const RecomputeRecipe* lastRule(const Steps& steps) {
    for (std::size_t t = steps.rows.size(); t-- > 0;)
        if (const auto& rule = steps.record(t).rule)
            return rule.get();
    return nullptr;
}

/// Makes one recipe for all rows of a map that is partly not stored: single steps store rows over a short
/// source, but a pass over many tokens does not store its map.
std::shared_ptr<const RecomputeRecipe> stackRules(const Steps& steps) {
    const RecomputeRecipe* const last = lastRule(steps);
    if (!last)
        return nullptr;
    auto rule = std::make_shared<RecomputeRecipe>(*last);
    auto open = std::make_shared<AllowedRanges>(steps.keys());
    rule->firstQuery = 0;
    rule->measured = {};
    const RecomputeRecipe* measured = nullptr;
    for (std::size_t t = 0; t < steps.rows.size(); ++t) {
        const AttentionRecord& record = steps.record(t);
        if (!record.rule) {
            open->addRow(record.allowedKeys(steps.row(t)));
            continue;
        }
        open->addRowOf(*record.rule->open, steps.row(t));
        if (std::exchange(measured, record.rule.get()) != record.rule.get()) // count shared recipes once
            rule->measured = worst(rule->measured, record.rule->measured);
    }
    rule->open = std::move(open);
    if (rule->bias) {
        auto bias = std::make_shared<RelativeBias>(*rule->bias);
        bias->keys.resize(steps.keys());
        bias->queries = bias->keys; // self-attention: same tokens
        rule->bias = std::move(bias);
    }
    return rule;
}

AttentionRecord stackRecord(const Steps& steps) {
    const AttentionRecord& last = steps.last();
    AttentionRecord record{.site = last.site, .rule = stackRules(steps)};
    if (!record.isRecomputed()) {
        record.mask = MaskMatrix(steps.rows.size(), last.mask.columns());
        for (std::size_t t = 0; t < steps.rows.size(); ++t)
            std::ranges::copy(steps.record(t).allowedKeys(steps.row(t)), &record.mask(t, 0));
        record.scores = stackRows(steps, &AttentionRecord::scores);
        record.weights = stackRows(steps, &AttentionRecord::weights);
    }
    record.q = stackRows(steps, &AttentionRecord::q);
    record.outputs = stackRows(steps, &AttentionRecord::outputs);
    return record;
}

/// Returns the records shared by all of `rows` and covering no others; null if there are none.
const PathRecords* sharedRecords(const std::vector<const DecodeRow*>& rows) {
    const auto* shared = rows.empty() ? nullptr : rows.front()->together.get();
    for (std::size_t t = 0; t < rows.size() && shared; ++t)
        if (rows[t]->together.get() != shared || rows[t]->place != t)
            return nullptr;
    return shared && !shared->self.empty() && shared->self.front().queries() == rows.size() ? shared
                                                                                            : nullptr;
}

} // namespace

DecodeTree::NodeId DecodeTree::add(DecodeNode node) {
    assert(node.parent.has_value() == !nodes_.empty());
    assert(!node.parent || *node.parent < nodes_.size());
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
}

void DecodeTree::clearSearches() {
    for (auto& node : nodes_)
        node.search.reset();
}

std::optional<DecodeTree::NodeId> DecodeTree::child(NodeId parent, std::int64_t tokenId) const {
    for (const auto id : children(parent))
        if (nodes_[id].token.id == tokenId)
            return id;
    return std::nullopt;
}

std::vector<DecodeTree::NodeId> DecodeTree::children(NodeId parent) const {
    std::vector<NodeId> found;
    for (NodeId id = parent + 1; id < nodes_.size(); ++id)
        if (nodes_[id].parent == parent)
            found.push_back(id);
    return found;
}

std::vector<DecodeTree::NodeId> DecodeTree::path(NodeId leaf) const {
    std::vector<NodeId> ids{leaf};
    while (const auto parent = nodes_.at(ids.back()).parent)
        ids.push_back(*parent);
    std::reverse(ids.begin(), ids.end());
    return ids;
}

double DecodeTree::logProbability(NodeId leaf) const {
    double sum = 0;
    for (const auto id : path(leaf))
        sum += nodes_[id].logProbability;
    return sum;
}

std::vector<AttentionRecord> stackSelfRows(const DecodeTree& tree,
                                           const std::vector<DecodeTree::NodeId>& path) {
    Steps steps{.rows = fedRows(tree, path), .recordsOf = selfRecords};
    if (const auto* shared = sharedRecords(steps.rows))
        return shared->self;
    std::vector<AttentionRecord> records;
    if (steps.rows.empty())
        return records;
    const auto& rows = steps.rows;
    for (; steps.layer < selfRecords(*rows.back()).size(); ++steps.layer) {
        AttentionRecord record = stackRecord(steps);
        record.k = stackRows(steps, &AttentionRecord::k);
        record.v = stackRows(steps, &AttentionRecord::v);
        const bool whole = record.isRecomputed() || rows.back()->scoresOfEarlierQueries.empty();
        for (std::size_t key = 0; !whole && key < rows.size(); ++key) {
            const HeadStack& earlier = rows[key]->scoresOfEarlierQueries[steps.layer];
            for (std::size_t h = 0; h < earlier.heads(); ++h)
                for (std::size_t t = 0; t < earlier.rows(); ++t)
                    record.scores.at(h, t, key) = earlier(h, t, 0);
        }
        records.push_back(std::move(record));
    }
    return records;
}

std::vector<AttentionRecord> stackCrossRows(const DecodeTree& tree,
                                            const std::vector<DecodeTree::NodeId>& path) {
    Steps steps{.rows = fedRows(tree, path), .recordsOf = crossRecords};
    if (const auto* shared = sharedRecords(steps.rows))
        return shared->cross;
    std::vector<AttentionRecord> records;
    if (steps.rows.empty())
        return records;
    for (; steps.layer < crossRecords(*steps.rows.back()).size(); ++steps.layer)
        records.push_back(stackRecord(steps));
    return records;
}

} // namespace headscope::trace

#include "model/trace/decode_tree.h"

#include <algorithm>
#include <cassert>

namespace headscope::trace {

namespace {

/// The nodes of `path` that were fed; only the last may not have been.
std::vector<const DecodeRow*> fedRows(const DecodeTree& tree, const std::vector<DecodeTree::NodeId>& path) {
    std::vector<const DecodeRow*> rows;
    for (const auto id : path)
        if (const auto& row = tree.node(id).row)
            rows.push_back(row.get());
    return rows;
}

using RecordOf = const AttentionRecord& (*)(const DecodeRow&, std::size_t layer);

/// Copies row 0 of each step's stack under each other: [heads, T, columns], zero where a step is shorter.
HeadStack stackRows(const std::vector<const DecodeRow*>& rows, std::size_t layer, RecordOf recordOf,
                    HeadStack AttentionRecord::*part) {
    const HeadStack& last = recordOf(*rows.back(), layer).*part;
    if (last.empty())
        return {};
    HeadStack stacked(last.heads(), rows.size(), last.columns());
    for (std::size_t t = 0; t < rows.size(); ++t) {
        const HeadStack& step = recordOf(*rows[t], layer).*part;
        for (std::size_t h = 0; h < step.heads(); ++h)
            for (std::size_t c = 0; c < step.columns(); ++c)
                stacked.at(h, t, c) = step(h, 0, c);
    }
    return stacked;
}

/// One rule for the rows of a map that is left out: the last row's, which has all keys.
std::shared_ptr<const MapRule> stackRules(const std::vector<const DecodeRow*>& rows, std::size_t layer,
                                          RecordOf recordOf) {
    const AttentionRecord& last = recordOf(*rows.back(), layer);
    if (!last.rule)
        return nullptr;
    auto rule = std::make_shared<MapRule>(*last.rule);
    auto open = std::make_shared<OpenRanges>(last.keys());
    rule->firstQuery = 0;
    rule->measured = {};
    for (const auto* row : rows) {
        const AttentionRecord& record = recordOf(*row, layer);
        open->addRow(record.openKeys(0));
        if (record.rule)
            rule->measured = worst(rule->measured, record.rule->measured);
    }
    rule->open = std::move(open);
    if (rule->bias) {
        auto bias = std::make_shared<RelativeBias>(*rule->bias);
        bias->queries = bias->keys; // of self-attention: the same tokens
        rule->bias = std::move(bias);
    }
    return rule;
}

AttentionRecord stackRecord(const std::vector<const DecodeRow*>& rows, std::size_t layer, RecordOf recordOf) {
    const AttentionRecord& last = recordOf(*rows.back(), layer);
    AttentionRecord record{.site = last.site, .rule = stackRules(rows, layer, recordOf)};
    if (!record.isLeftOut()) {
        record.mask = MaskMatrix(rows.size(), last.mask.columns());
        for (std::size_t t = 0; t < rows.size(); ++t)
            for (std::size_t key = 0; key < recordOf(*rows[t], layer).mask.columns(); ++key)
                record.mask(t, key) = recordOf(*rows[t], layer).mask(0, key);
        record.scores = stackRows(rows, layer, recordOf, &AttentionRecord::scores);
        record.weights = stackRows(rows, layer, recordOf, &AttentionRecord::weights);
    }
    record.q = stackRows(rows, layer, recordOf, &AttentionRecord::q);
    record.outputs = stackRows(rows, layer, recordOf, &AttentionRecord::outputs);
    return record;
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
    const auto rows = fedRows(tree, path);
    std::vector<AttentionRecord> records;
    if (rows.empty())
        return records;
    const RecordOf self = [](const DecodeRow& row, std::size_t layer) -> const AttentionRecord& {
        return row.self[layer];
    };
    for (std::size_t layer = 0; layer < rows.back()->self.size(); ++layer) {
        AttentionRecord record = stackRecord(rows, layer, self);
        record.k = stackRows(rows, layer, self, &AttentionRecord::k);
        record.v = stackRows(rows, layer, self, &AttentionRecord::v);
        const bool whole = record.isLeftOut() || rows.back()->scoresOfEarlierQueries.empty();
        for (std::size_t key = 0; !whole && key < rows.size(); ++key) {
            const HeadStack& earlier = rows[key]->scoresOfEarlierQueries[layer];
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
    const auto rows = fedRows(tree, path);
    std::vector<AttentionRecord> records;
    if (rows.empty())
        return records;
    const RecordOf cross = [](const DecodeRow& row, std::size_t layer) -> const AttentionRecord& {
        return row.cross[layer];
    };
    for (std::size_t layer = 0; layer < rows.back()->cross.size(); ++layer)
        records.push_back(stackRecord(rows, layer, cross));
    return records;
}

} // namespace headscope::trace

#include "model/engine/tree_decoder.h"

#include "model/engine/run_memory.h"
#include "model/files/available_memory.h"

#include <utility>

// TreeDecoder: memory checks, and paths whose rows come from a single pass.

namespace headscope::engine {

void TreeDecoder::refuseTooLittleMemoryFor(std::int64_t tokens) const {
    refuseTooLittleMemoryForTarget(
        model_.network->config(),
        {.source = source_.length(), .target = tokens, .longestMap = request_.recording.longestMap},
        files::availableMemory());
}

void TreeDecoder::refuseTooLittleMemoryForBeamsOf(std::int64_t tokens) const {
    refuseTooLittleMemoryForBeams(
        model_.network->config(),
        {.source = source_.length(), .target = tokens, .longestMap = request_.recording.longestMap},
        request_.decoding.beam, files::availableMemory());
}

/// Computes all rows in one pass. One by one, maps would be stored until the path gets too long.
TreeDecoder::NodeId TreeDecoder::forceLong(const std::vector<std::int64_t>& ids, const trace::Task& work,
                                           const Progress& progress) {
    const auto rows = session_.longRows(ids, work);
    NodeId node = 0;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        if (!tree_.node(node).row)
            tree_.setRow(node, rows[t].row);
        if (t + 1 == ids.size())
            break;
        const auto child = tree_.child(node, ids[t + 1]);
        node = child ? *child
                     : tree_.add({.parent = node,
                                  .token = model_.targetToken(ids[t + 1]),
                                  .logProbability = rows[t].nextLogProbability,
                                  .rank = rows[t].nextRank});
    }
    progress(node);
    return node;
}

void TreeDecoder::keepTogether(std::shared_ptr<const trace::PathRecords> records) {
    std::vector<NodeId> nodes;
    std::vector<DecodingSession::RowBefore> rows;
    for (const auto id : tree_.path(leaf_)) {
        const auto& node = tree_.node(id);
        if (!node.row)
            continue;
        if (!rows.empty()) {
            rows.back().nextLogProbability = node.logProbability;
            rows.back().nextRank = node.rank;
        }
        nodes.push_back(id);
        rows.push_back({.row = node.row});
    }
    rows = session_.keepTogether(fedAlong(nodes.back()), std::move(rows), std::move(records));
    for (std::size_t t = 0; t < nodes.size(); ++t)
        tree_.setRow(nodes[t], rows[t].row);
}

/// With a lifted mask, a row attends to tokens that did not exist when its token was chosen, so all rows are
/// taken from one pass over the whole target. For a long target the session may have made that pass already.
void TreeDecoder::seeWholeTarget(const trace::Task& work) {
    std::vector<NodeId> nodes;
    std::vector<std::int64_t> fed;
    for (const auto node : tree_.path(leaf_))
        if (tree_.node(node).row) {
            nodes.push_back(node);
            fed.push_back(tree_.node(node).token.id);
        }
    const auto rows =
        session_.isLong(fed.size()) ? session_.longRows(fed, work) : session_.wholeRows(fed, work.stop());
    for (std::size_t t = 0; t < nodes.size(); ++t) {
        tree_.setRow(nodes[t], rows[t].row);
        if (t + 1 < nodes.size())
            tree_.setLogProbability(nodes[t + 1], rows[t].nextLogProbability, rows[t].nextRank);
    }
}

} // namespace headscope::engine

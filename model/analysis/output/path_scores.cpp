#include "model/analysis/output/path_scores.h"

namespace headscope::analysis {

std::vector<TokenScore> tokenScores(const trace::DecodeTree& tree, trace::DecodeTree::NodeId leaf) {
    std::vector<TokenScore> scores;
    double sum = 0;
    for (const auto id : tree.path(leaf)) {
        const auto& node = tree.node(id);
        if (!node.parent || node.token.role == trace::TokenRole::Padding)
            continue;
        sum += node.logProbability;
        scores.push_back({.node = id,
                          .token = node.token,
                          .logProbability = node.logProbability,
                          .rank = node.rank < 0 ? std::nullopt : std::optional(node.rank),
                          .sum = sum});
    }
    return scores;
}

std::optional<std::size_t> referencePath(const trace::Run& run) {
    for (std::size_t i = run.paths.size(); i-- > 0;)
        if (!run.paths[i].decodedOn)
            return i;
    return std::nullopt;
}

std::vector<TokenScore> referenceScores(const trace::Run& run, const trace::RunPath& path) {
    const auto end = run.model ? run.model->special.end : std::nullopt;
    const auto ending = end && !run.model->special.isEnd(run.tree.node(path.leaf).token.id)
                            ? run.tree.child(path.leaf, *end)
                            : std::nullopt;
    return tokenScores(run.tree, ending.value_or(path.leaf));
}

double meanLogProbability(const std::vector<TokenScore>& scores) {
    return scores.empty() ? 0 : scores.back().sum / static_cast<double>(scores.size());
}

} // namespace headscope::analysis

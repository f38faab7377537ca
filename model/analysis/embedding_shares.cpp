#include "model/analysis/embedding_shares.h"

#include <cassert>
#include <cmath>

namespace headscope::analysis {

std::vector<EmbeddingShare> embeddingShares(trace::MatrixView sums, trace::MatrixView positions) {
    assert(sums.rows() == positions.rows() && sums.columns() == positions.columns());
    std::vector<EmbeddingShare> shares(sums.rows());
    for (std::size_t token = 0; token < sums.rows(); ++token) {
        double whole = 0;
        EmbeddingShare& share = shares[token];
        for (std::size_t i = 0; i < sums.columns(); ++i) {
            const double sum = sums(token, i);
            const double position = positions(token, i);
            const double word = sum - position;
            whole += sum * sum;
            share.word += word * sum;
            share.position += position * sum;
            share.wordLength += word * word;
            share.positionLength += position * position;
        }
        share.word = whole > 0 ? share.word / whole : std::nan("");
        share.position = whole > 0 ? share.position / whole : std::nan("");
        share.wordLength = std::sqrt(share.wordLength);
        share.positionLength = std::sqrt(share.positionLength);
    }
    return shares;
}

std::vector<EmbeddingShare> sourceShares(const trace::Run& run) {
    if (run.encoderResidual.empty() || run.sourcePositions.empty())
        return {};
    return embeddingShares(run.encoderResidual.head(0), trace::view(run.sourcePositions));
}

std::vector<EmbeddingShare> targetShares(const trace::Run& run) {
    std::vector<EmbeddingShare> shares;
    for (const auto node : run.path) {
        const auto& row = run.tree.node(node).row;
        if (!row)
            continue; // it ends the path and was not fed
        if (row->residual.empty() || row->position.empty())
            return {};
        const trace::MatrixView sum(row->residual.row(0).data(), 1, row->residual.columns());
        const trace::MatrixView position(row->position.data(), 1, row->position.size());
        shares.push_back(embeddingShares(sum, position).front());
    }
    return shares;
}

} // namespace headscope::analysis

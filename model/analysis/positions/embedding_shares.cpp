#include "model/analysis/positions/embedding_shares.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

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

EmbeddingSums sourceEmbedding(const trace::Run& run) {
    if (run.encoderResidual.empty() || run.sourcePositions.empty())
        return {};
    const auto sums = run.encoderResidual.head(0);
    if (sums.columns() != run.sourcePositions.columns())
        return {}; // the sum was projected to another width
    EmbeddingSums embedding{.sums = trace::Matrix(sums.rows(), sums.columns()),
                            .positions = run.sourcePositions};
    for (std::size_t token = 0; token < sums.rows(); ++token)
        std::ranges::copy(sums.row(token), &embedding.sums(token, 0));
    return embedding;
}

EmbeddingSums targetEmbedding(const trace::Run& run) {
    std::vector<float> sums, positions;
    std::size_t tokens = 0;
    for (const auto node : run.path) {
        const auto& row = run.tree.node(node).row;
        if (!row)
            continue; // the last token of the path was not fed
        if (row->residual.empty() || row->position.empty())
            return {};
        const auto sum = row->residual.row(0);
        sums.insert(sums.end(), sum.begin(), sum.end());
        positions.insert(positions.end(), row->position.begin(), row->position.end());
        ++tokens;
    }
    if (tokens == 0)
        return {};
    const std::size_t width = sums.size() / tokens;
    return {.sums = trace::Matrix(tokens, width, std::move(sums)),
            .positions = trace::Matrix(tokens, width, std::move(positions))};
}

std::vector<EmbeddingShare> embeddingShares(const EmbeddingSums& embedding) {
    return embeddingShares(trace::view(embedding.sums), trace::view(embedding.positions));
}

} // namespace headscope::analysis

#include "model/analysis/padded_batch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::analysis {

namespace {

using trace::AttentionRecord;
using trace::Token;
using trace::TokenRole;

/// The decoder's first token is never padding, even if the pad token is used as start token.
bool isPadding(const std::vector<Token>& tokens, std::size_t t, bool decoder) {
    return (t > 0 || !decoder) && tokens[t].role == TokenRole::Padding;
}

/// Number of tokens before the padding, which comes last.
std::size_t realTokens(const std::vector<Token>& tokens, bool decoder) {
    std::size_t count = tokens.size();
    while (count > 0 && isPadding(tokens, count - 1, decoder))
        --count;
    return count;
}

template <class Sequence>
std::size_t longest(const std::vector<Sequence>& sequences) {
    std::size_t most = 0;
    for (const auto& sequence : sequences)
        most = std::max(most, sequence.size());
    return most;
}

void compare(const AttentionRecord& alone, const AttentionRecord& padded, PaddingEffect& effect) {
    const auto& before = alone.weights;
    const auto& after = padded.weights;
    const auto rows = std::min(before.rows(), after.rows());
    for (std::size_t head = 0; head < std::min(before.heads(), after.heads()); ++head)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t key = 0; key < after.columns(); ++key) {
                const double weight = static_cast<double>(after(head, row, key));
                if (key >= before.columns()) {
                    effect.largestOnPadding = std::max(effect.largestOnPadding, weight);
                    continue;
                }
                const double old = static_cast<double>(before(head, row, key));
                ++effect.weights;
                const double change = std::isnan(weight) && std::isnan(old) ? 0 : std::abs(weight - old);
                if (!effect.where || !(change <= effect.largestChange)) {
                    effect.where = {alone.site, head};
                    effect.largestChange =
                        std::isnan(change) ? std::numeric_limits<double>::infinity() : change;
                }
            }
}

} // namespace

std::vector<Token> wholeTarget(const trace::Run& run) {
    std::vector<Token> target;
    for (const auto node : run.path)
        target.push_back(run.tree.node(node).token);
    target.resize(realTokens(target, true));
    if (target.empty() || target.back().role == TokenRole::End || !run.model)
        return target;
    // For a forced target the end token's probability is computed, but the token is not fed.
    if (const auto end = run.model->special.end)
        if (const auto node = run.tree.child(run.path.at(target.size() - 1), *end))
            target.push_back(run.tree.node(*node).token);
    return target;
}

BatchPlan batchPlan(const std::vector<std::vector<Token>>& sources,
                    const std::vector<std::vector<Token>>& targets) {
    const auto sourceLength = longest(sources);
    const auto targetLength = longest(targets);
    BatchPlan plan;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto own = i < targets.size() ? targets[i].size() : 0;
        const bool isShorter = own > 0 && own < targetLength;
        plan.feedsLast.push_back(isShorter);
        plan.padding.push_back({.source = static_cast<int>(sourceLength - sources[i].size()),
                                .target = isShorter ? static_cast<int>(targetLength - own) - 1 : 0});
    }
    return plan;
}

trace::DecodePath batchPath(const std::vector<Token>& target, bool feedsLast) {
    if (target.empty())
        return {};
    trace::TargetIds ids;
    for (const Token& token : target)
        ids.ids.push_back(token.id);
    return {.forced = std::move(ids), .newTokens = feedsLast ? 0 : 1, .ends = !feedsLast};
}

BatchRow batchRow(const trace::Run& padded, const std::vector<Token>& target) {
    BatchRow row{.source = padded.source, .input = padded.target, .labels = {}};
    row.labels.resize(row.input.size());
    for (std::size_t t = 0; t + 1 < target.size() && t < row.labels.size(); ++t)
        row.labels[t] = target[t + 1];
    return row;
}

PaddingEffect paddingEffect(const trace::Run& alone, const trace::Run& padded) {
    PaddingEffect effect;
    const auto compareAll = [&](const auto& one, const auto& other) {
        for (std::size_t layer = 0; layer < std::min(one.size(), other.size()); ++layer)
            compare(one[layer], other[layer], effect);
    };
    compareAll(alone.encoder, padded.encoder);
    compareAll(alone.decoder, padded.decoder);
    compareAll(alone.cross, padded.cross);
    return effect;
}

} // namespace headscope::analysis

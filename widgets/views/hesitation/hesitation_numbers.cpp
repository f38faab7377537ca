#include "widgets/views/hesitation/hesitation_numbers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::widgets {

namespace {

/// `logProbabilities` are natural.
double entropyInBits(const std::vector<float>& logProbabilities) {
    double sum = 0;
    for (const double value : logProbabilities)
        if (std::isfinite(value)) // a token with probability 0 contributes nothing
            sum -= std::exp(value) * value;
    return sum / std::numbers::ln2;
}

} // namespace

std::vector<HesitationStep> hesitationSteps(const trace::Run& run) {
    std::vector<HesitationStep> steps;
    for (std::size_t t = 0; t + 1 < run.path.size(); ++t) {
        const auto& node = run.tree.node(run.path[t + 1]);
        const auto* row = run.tree.node(run.path[t]).row.get();
        if (node.token.role == trace::TokenRole::Padding)
            break;
        HesitationStep step{.chosen = node.token,
                            .isForced = t < run.forcedRows,
                            .probability = std::exp(node.logProbability)};
        if (row) {
            const auto other = std::ranges::find_if(row->candidates, [&](const trace::Candidate& candidate) {
                return candidate.token.id != node.token.id;
            });
            if (other != row->candidates.end())
                step.second = *other;
        }
        if (step.second)
            step.margin = *step.probability - std::exp(step.second->logProbability);
        if (row && !row->logProbabilities.empty())
            step.entropy = entropyInBits(row->logProbabilities);
        steps.push_back(std::move(step));
    }
    return steps;
}

} // namespace headscope::widgets

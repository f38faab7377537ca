#include "widgets/views/hesitation/hesitation_numbers.h"

#include "model/analysis/output/hesitation.h"

#include <cmath>
#include <numbers>

namespace headscope::widgets {

namespace {

/// Of natural log-probabilities.
double entropyInBits(const std::vector<float>& logProbabilities) {
    double sum = 0;
    for (const double value : logProbabilities)
        if (std::isfinite(value)) // one that cannot be chosen adds nothing
            sum -= std::exp(value) * value;
    return sum / std::numbers::ln2;
}

} // namespace

std::vector<HesitationStep> hesitationSteps(const trace::Run& run) {
    std::vector<HesitationStep> steps;
    const auto known = analysis::hesitations(run);
    for (std::size_t t = 0; t < known.size(); ++t) {
        HesitationStep step{
            .chosen = run.next[t], .probability = known[t].probability, .second = known[t].other};
        if (step.probability && step.second)
            step.margin = *step.probability - std::exp(step.second->logProbability);
        const auto* row = t < run.path.size() ? run.tree.node(run.path[t]).row.get() : nullptr;
        if (row && !row->logProbabilities.empty())
            step.entropy = entropyInBits(row->logProbabilities);
        steps.push_back(std::move(step));
    }
    return steps;
}

} // namespace headscope::widgets

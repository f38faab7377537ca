#include "model/analysis/compare/said_comparison.h"

#include "model/analysis/output/path_scores.h"
#include "model/trace/class_label.h"

namespace headscope::analysis {

SaidOutput saidOutput(const trace::Run& run) {
    SaidOutput said{.text = run.output};
    if (run.path.empty()) {
        for (std::size_t c = 0; c < run.classLogProbabilities.size(); ++c) {
            said.tokens.push_back(
                {.id = static_cast<std::int64_t>(c), .piece = trace::classLabel(run.model.get(), c)});
            said.logProbabilities.push_back(double(run.classLogProbabilities[c]));
        }
        said.areClasses = !said.tokens.empty();
        return said;
    }
    for (const TokenScore& score : tokenScores(run.tree, run.path.back())) {
        said.tokens.push_back(score.token);
        said.logProbabilities.push_back(score.logProbability);
        said.sum = score.sum;
    }
    return said;
}

SaidComparison compareSaid(const trace::Run& first, const trace::Run& second, AlignBy by,
                           const std::stop_token& stop) {
    SaidComparison compared{.first = saidOutput(first), .second = saidOutput(second)};
    compared.axis = alignTokens(compared.first.tokens, compared.second.tokens, by, stop);
    return compared;
}

double logProbabilityOf(const SaidOutput& said, const AxisUnit& unit) {
    double sum = 0;
    for (std::size_t t = unit.tokens.first; t < unit.tokens.last; ++t)
        sum += said.logProbabilities.at(t);
    return sum;
}

} // namespace headscope::analysis

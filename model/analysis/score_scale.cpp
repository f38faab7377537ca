#include "model/analysis/score_scale.h"

#include <cmath>
#include <string>
#include <variant>

namespace headscope::analysis {

namespace {

/// The model's own, as its summary says it; the paper's where it does not.
double ownScale(const trace::Run& run, double inverseRoot) {
    if (run.model)
        for (const auto& [flag, text] : run.model->architecture)
            if (flag == "score_scale")
                return std::stod(text);
    return inverseRoot;
}

} // namespace

ScoreScale scoreScale(const trace::Run& run, std::size_t width) {
    const double inverseRoot = 1 / std::sqrt(static_cast<double>(width));
    double own = ownScale(run, inverseRoot);
    ScoreScale scale;
    for (const auto& change : trace::effective(run.request.interventions)) {
        if (const auto* changed = std::get_if<trace::ScaleScores>(&change)) {
            own = changed->factor.value_or(1);
            scale.isChanged = true;
        } else if (const auto* softmax = std::get_if<trace::SoftmaxTemperature>(&change)) {
            scale.temperature *= softmax->temperature;
        }
    }
    scale.isInverseRoot = std::abs(own - inverseRoot) < 1e-6 * inverseRoot;
    scale.factor = own / scale.temperature;
    return scale;
}

} // namespace headscope::analysis

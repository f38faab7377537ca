#include "model/analysis/compare/compare_readings.h"

#include "model/analysis/output/path_scores.h"
#include "model/trace/class_label.h"

#include <algorithm>
#include <string>

namespace headscope::analysis {

namespace {

std::vector<TokenReading> compareClasses(const trace::Run& run, const trace::Run& reading) {
    const auto& first = run.classLogProbabilities;
    const auto& second = reading.classLogProbabilities;
    std::vector<TokenReading> classes;
    for (std::size_t c = 0; c < std::min(first.size(), second.size()); ++c)
        classes.push_back(
            {.token = {.id = static_cast<std::int64_t>(c), .piece = trace::classLabel(run.model.get(), c)},
             .first = first[c],
             .second = second[c]});
    return classes;
}

} // namespace

std::vector<TokenReading> compareReadings(const trace::Run& run, const trace::Run& reading) {
    if (run.path.empty())
        return compareClasses(run, reading);
    std::vector<TokenReading> readings;
    const auto own = tokenScores(run.tree, run.path.back());
    const auto other = tokenScores(reading.tree, reading.path.back());
    for (std::size_t t = 0; t < std::min(own.size(), other.size()); ++t) {
        if (own[t].token.id != other[t].token.id)
            break;
        readings.push_back(
            {.token = own[t].token, .first = own[t].logProbability, .second = other[t].logProbability});
    }
    return readings;
}

MeanReading meanReading(const std::vector<TokenReading>& readings) {
    MeanReading mean;
    for (const auto& reading : readings) {
        mean.first += reading.first / static_cast<double>(readings.size());
        mean.second += reading.second / static_cast<double>(readings.size());
    }
    return mean;
}

} // namespace headscope::analysis

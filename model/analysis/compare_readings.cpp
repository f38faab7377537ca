#include "model/analysis/compare_readings.h"

#include "model/analysis/path_scores.h"

#include <algorithm>
#include <string>

namespace headscope::analysis {

namespace {

std::vector<TokenReading> compareClasses(const trace::Run& run, const trace::Run& reading) {
    const auto& first = run.classLogProbabilities;
    const auto& second = reading.classLogProbabilities;
    std::vector<TokenReading> classes;
    for (std::size_t c = 0; c < std::min(first.size(), second.size()); ++c)
        classes.push_back({.token = {.id = static_cast<std::int64_t>(c), .piece = "#" + std::to_string(c)},
                           .first = first[c],
                           .second = second[c]});
    return classes;
}

} // namespace

std::vector<TokenReading> compareReadings(const trace::Run& run, const trace::Run& reading) {
    if (run.path.empty())
        return compareClasses(run, reading);
    std::vector<TokenReading> readings;
    const auto scores = tokenScores(run.tree, run.path.back());
    for (std::size_t t = 0; t < std::min(scores.size(), reading.target.size()); ++t) {
        const auto& other = reading.row(t).logProbabilities;
        const auto id = static_cast<std::size_t>(scores[t].token.id);
        if (id >= other.size())
            break;
        readings.push_back(
            {.token = scores[t].token, .first = scores[t].logProbability, .second = other[id]});
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

#include "model/analysis/translation/bootstrap.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace headscope::analysis {

namespace {

constexpr std::size_t resamples = 1000;
constexpr double outside = 0.025; // probability below and above the interval

} // namespace

MeanInterval bootstrapMean(const std::vector<double>& sums, const std::vector<double>& counts,
                           std::uint64_t seed) {
    if (sums.empty())
        return {};
    std::mt19937_64 random(seed);
    std::vector<double> means(resamples);
    for (double& mean : means) {
        double sum = 0;
        double count = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const auto drawn = random() % sums.size();
            sum += sums[drawn];
            count += counts[drawn];
        }
        mean = sum / count;
    }
    std::sort(means.begin(), means.end());
    const auto last = static_cast<double>(resamples - 1);
    return {.mean = std::accumulate(sums.begin(), sums.end(), 0.0) /
                    std::accumulate(counts.begin(), counts.end(), 0.0),
            .low = means[static_cast<std::size_t>(outside * last)],
            .high = means[static_cast<std::size_t>((1 - outside) * last)]};
}

} // namespace headscope::analysis

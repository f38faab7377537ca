#include <QTest>

#include "model/analysis/translation/bootstrap.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

using headscope::analysis::bootstrapMean;
namespace tests = headscope::tests;

class BootstrapTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theMeanIsThatOfAllTokens() {
        const auto mean = bootstrapMean({2, 9}, {1, 3});
        QCOMPARE(mean.mean, 11.0 / 4);
        QVERIFY(mean.low <= mean.mean && mean.mean <= mean.high);
    }

    void oneSentenceHasNoWidth() {
        const auto mean = bootstrapMean({6}, {3});
        QCOMPARE(mean.low, 2.0);
        QCOMPARE(mean.high, 2.0);
    }

    void theIntervalIsThatOfTheNormalDistribution() {
        std::mt19937_64 random(1);
        std::normal_distribution<double> normal(5, 2);
        std::vector<double> sums(400);
        for (double& sum : sums)
            sum = normal(random);
        const auto mean = bootstrapMean(sums, std::vector<double>(sums.size(), 1));
        // The deviation of the sums is itself off by a deviation of 1 / sqrt(2 n). Either end is a quantile
        // of 1,000 resamples, off by 0.085 deviations of the mean: sqrt(0.025 0.975 / 1000) by the density
        // at 1.96.
        const double width = 2 * 1.96 * 2 / 20;
        VERIFY_AGREES(
            tests::compare("width", mean.high - mean.low, width,
                           tests::ofDraws(2 * 400, width) +
                               tests::Limit{4 * std::sqrt(2) * 0.085 * 2 / 20, "4 errors of quantiles"}));
    }

    void oneMeanInFortyLiesBelowTheIntervalAndOneAbove() {
        constexpr std::size_t resamples = 1000;
        const std::vector<double> sums{1, 12.5, -3, 7, 2.25, 30, 8, 0.5, 19, 4, 11};
        const std::vector<double> counts{1, 4, 2, 2, 1, 9, 3, 1, 5, 2, 3};
        for (const std::uint64_t seed : {0, 1, 99}) {
            std::mt19937_64 random(seed);
            std::vector<double> means;
            while (means.size() < resamples) {
                double sum = 0, count = 0;
                for (std::size_t i = 0; i < sums.size(); ++i) {
                    const auto sentence = static_cast<std::size_t>(random() % sums.size());
                    sum += sums[sentence];
                    count += counts[sentence];
                }
                means.push_back(sum / count);
            }
            std::ranges::sort(means);
            const auto interval = bootstrapMean(sums, counts, seed);
            QCOMPARE(interval.low, means[24]);
            QCOMPARE(interval.high, means[974]);
        }
    }

    /// Eight sentences, half of them with one hit: 0.4 % of the resampled corpora have none, 3.5 % at most
    /// one and 14.5 % at most two.
    void theIntervalIsThatOfTheBinomialDistribution() {
        const auto mean = bootstrapMean({0, 1, 0, 1, 0, 1, 0, 1}, std::vector<double>(8, 1));
        QCOMPARE(mean.low, 1.0 / 8);
        QCOMPARE(mean.high, 7.0 / 8);
    }

    void theSameSeedGivesTheSame() {
        QCOMPARE(bootstrapMean({1, 2, 4}, {1, 1, 1}).low, bootstrapMean({1, 2, 4}, {1, 1, 1}).low);
    }

    void nothingIsZero() { QCOMPARE(bootstrapMean({}, {}).mean, 0.0); }
};

HEADSCOPE_TEST(BootstrapTest)
#include "bootstrap_test.moc"

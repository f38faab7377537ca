#include <QTest>

#include "model/analysis/bootstrap.h"

#include <cmath>
#include <random>

using headscope::analysis::bootstrapMean;

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
        QVERIFY(std::abs(mean.high - mean.low - 2 * 1.96 * 2 / 20) < 0.06);
    }

    void theSameSeedGivesTheSame() {
        QCOMPARE(bootstrapMean({1, 2, 4}, {1, 1, 1}).low, bootstrapMean({1, 2, 4}, {1, 1, 1}).low);
    }

    void nothingIsZero() { QCOMPARE(bootstrapMean({}, {}).mean, 0.0); }
};

QTEST_APPLESS_MAIN(BootstrapTest)
#include "bootstrap_test.moc"

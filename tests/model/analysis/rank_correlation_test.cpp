#include <QTest>

#include "model/analysis/rank_correlation.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <array>
#include <cmath>

using headscope::analysis::rankCorrelation;
namespace tests = headscope::tests;

class RankCorrelationTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void onlyTheOrderCounts() {
        const std::array first{1.0, 2.0, 3.0, 4.0};
        const std::array rising{-5.0, 0.0, 0.1, 1e9};
        const std::array falling{9.0, 3.0, 2.0, -1.0};
        QCOMPARE(*rankCorrelation(first, rising), 1.0);
        QCOMPARE(*rankCorrelation(first, falling), -1.0);
    }

    void equalValuesShareTheirRank() {
        // Ranks 0.5 0.5 2 3 against 0 1 2 3: covariance 4.5 of variances 4.5 and 5.
        const auto found = rankCorrelation(std::array{1.0, 1.0, 2.0, 3.0}, std::array{1.0, 2.0, 3.0, 4.0});
        VERIFY_AGREES(tests::compare("correlation", *found, 4.5 / std::sqrt(4.5 * 5),
                                     tests::ofRoundings(2 * 4, 1, tests::float64)));
    }

    void whatIsConstantOrTooShortHasNone() {
        QVERIFY(!rankCorrelation(std::array{1.0, 1.0, 1.0}, std::array{1.0, 2.0, 3.0}));
        QVERIFY(!rankCorrelation(std::array{1.0, 2.0}, std::array{1.0, 2.0}));
    }
};

HEADSCOPE_TEST(RankCorrelationTest)
#include "rank_correlation_test.moc"

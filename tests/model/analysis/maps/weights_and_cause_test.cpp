#include <QTest>

#include "model/analysis/maps/weights_and_cause.h"
#include "tests/registered_test.h"

#include <limits>
#include <vector>

using headscope::analysis::compareWithCause;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::uint8_t> open(7, 1);
const std::vector<float> weights{0.05F, 0.1F, 0.4F, 0.2F, 0.15F, 0.07F, 0.03F};

} // namespace

class WeightsAndCauseTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theSameOrderAgrees() {
        const std::vector<double> drops{0.0, 0.3, 2.5, 1.0, 0.5, 0.1, -0.2};
        const auto compared = compareWithCause(weights, open, drops);
        QCOMPARE(*compared->correlation, 1.0);
        QCOMPARE(compared->allowedKeys, std::size_t{7});
        QCOMPARE(compared->largestWeight, std::size_t{2});
        QCOMPARE(compared->largestDrop, std::size_t{2});
        QCOMPARE(compared->drop, 2.5);
        QVERIFY(!compared->disagree());
    }

    void anotherOrderOfMoreThanFiveKeysDisagrees() {
        const std::vector<double> drops{2.5, 0.3, -0.2, 0.0, 0.1, 0.5, 1.0};
        QVERIFY(compareWithCause(weights, open, drops)->disagree());
        QCOMPARE(compareWithCause(weights, open, drops)->largestDrop, std::size_t{0});
        auto closed = open;
        closed[1] = closed[3] = 0; // five keys are too few for a disagreement
        QVERIFY(*compareWithCause(weights, closed, drops)->correlation < 0.3);
        QVERIFY(!compareWithCause(weights, closed, drops)->disagree());
    }

    void whatCannotBeClosedDoesNotCount() {
        const std::vector<double> drops{0.0, 0.3, none, 1.0, 0.5, 0.1, -0.2};
        const auto compared = compareWithCause(weights, open, drops);
        QCOMPARE(compared->allowedKeys, std::size_t{6});
        QCOMPARE(compared->largestWeight, std::size_t{3});
        QVERIFY(!compareWithCause(weights, open, std::vector<double>(7, none)));
    }

    void lossesThatRoundToNothingDoNotDisagree() {
        const std::vector<double> drops{0.00025, 0.00003, -0.00002, 0.0, 0.00001, 0.00005, 0.0001};
        const auto compared = compareWithCause(weights, open, drops);
        QVERIFY(*compared->correlation < 0.3);
        QCOMPARE(compared->largestChange, 0.00025);
        QVERIFY(!compared->anyMatters() && !compared->disagree());
    }

    void withoutAnyDifferenceThereIsNoCorrelation() {
        const auto compared = compareWithCause(weights, open, std::vector<double>(7, 0.0));
        QVERIFY(!compared->correlation);
        QVERIFY(!compared->disagree());
    }
};

HEADSCOPE_TEST(WeightsAndCauseTest)
#include "weights_and_cause_test.moc"

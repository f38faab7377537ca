#include <QTest>

#include "model/analysis/maps/weights_and_effect.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <array>
#include <cmath>
#include <vector>

using headscope::analysis::compareWithEffect;
namespace tests = headscope::tests;

class WeightsAndEffectTest : public QObject {
    Q_OBJECT

    static constexpr std::array<std::uint8_t, 3> open{1, 1, 1};

  private Q_SLOTS:
    void lengthsThatFollowTheWeightsAgree() {
        const std::array<float, 3> weights{0.2F, 0.5F, 0.3F};
        const std::array<float, 3> lengths{0.4F, 1.0F, 0.6F};
        const auto compared = compareWithEffect(weights, lengths, open);
        QVERIFY(compared && !compared->disagree());
        // The lengths are exactly twice the weights.
        QCOMPARE(compared->divergence, 0.0);
        QCOMPARE(compared->largestShare, std::size_t(1));
    }

    void aSinkThatAddsNothingIsTold() {
        const std::array<float, 3> weights{0.1F, 0.1F, 0.8F};
        const std::array<float, 3> lengths{0.5F, 0.1F, 0.1F};
        const auto compared = compareWithEffect(weights, lengths, open);
        QVERIFY(compared && compared->disagree());
        QCOMPARE(compared->largestWeight, std::size_t(2));
        QCOMPARE(compared->largestShare, std::size_t(0));
        // A rounded number is divided by a sum of some, and rounded.
        const auto agrees = [](double found, double expected) {
            return tests::compare("share", found, expected, tests::ofRoundings(3, expected));
        };
        VERIFY_AGREES(agrees(compared->share, 5.0 / 7));
        VERIFY_AGREES(agrees(compared->weightOfShare, 0.1));
        VERIFY_AGREES(agrees(compared->shareOfWeight, 1.0 / 7));
    }

    void oneHotOnDifferentKeysIsOneBitApart() {
        const std::array<float, 3> weights{1, 0, 0};
        const std::array<float, 3> lengths{0, 0, 2};
        QCOMPARE(compareWithEffect(weights, lengths, open)->divergence, 1.0);
    }

    void anotherLargestCellAloneIsNoDisagreement() {
        const std::array<float, 3> weights{0.34F, 0.33F, 0.33F};
        const std::array<float, 3> lengths{0.33F, 0.34F, 0.33F};
        const auto compared = compareWithEffect(weights, lengths, open);
        QVERIFY(compared->largestWeight != compared->largestShare);
        QVERIFY(!compared->disagree());
    }

    void closedKeysDoNotCount() {
        const std::array<std::uint8_t, 3> causal{1, 1, 0};
        const std::array<float, 3> weights{0.6F, 0.4F, 0};
        const std::array<float, 3> lengths{0.6F, 0.4F, 9};
        QCOMPARE(compareWithEffect(weights, lengths, causal)->largestShare, std::size_t(0));
    }

    void aRowWithoutALengthSaysNothing() {
        const std::array<float, 3> weights{0.6F, 0.4F, 0};
        QVERIFY(!compareWithEffect(weights, std::array<float, 3>{}, open));
        QVERIFY(!compareWithEffect(weights, std::array<float, 3>{std::nanf(""), 1, 1}, open));
    }
};

HEADSCOPE_TEST(WeightsAndEffectTest)
#include "weights_and_effect_test.moc"

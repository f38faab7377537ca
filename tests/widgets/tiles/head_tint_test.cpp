#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/tiles/head_tint.h"

using namespace headscope;
using namespace headscope::widgets;
using analysis::Statistic;
using trace::AttentionKind;

class HeadTintTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void headsStandInOrderOfTheStatistic() {
        const auto heads = analysis::statisticsOfHeads(*example::run());
        const auto tint = tintByStatistic(Statistic::Entropy, heads);
        QCOMPARE(tint.size(), std::size_t(72));
        for (const auto& one : heads)
            for (const auto& other : heads)
                if (tint.placeOf(one.head) < tint.placeOf(other.head))
                    QVERIFY(tint.of(one.head)->number >= tint.of(other.head)->number);
        QVERIFY(tint.caption().contains("on this sentence"));
        QVERIFY(tint.ofWholeInWords().contains("Entropy is measured over the whole decoding"));
        QVERIFY(tint.of(example::aligningHead)->words.startsWith("Entropy: "));
    }

    void headsThatItDoesNotApplyToAreLeftOut() {
        const auto tint = tintByStatistic(Statistic::Distance, analysis::statisticsOfHeads(*example::run()));
        QCOMPARE(tint.size(), std::size_t(48));
        QVERIFY(!tint.of(example::aligningHead));
        QCOMPARE(tint.placeOf(example::aligningHead), tint.size()); // after all others
    }

    void importanceSaysWhichSideHelps() {
        const auto tint = tintByImportance(
            {{{{AttentionKind::Cross, 0}, 1}, 0.25, 0.1}, {{{AttentionKind::Cross, 0}, 0}, -0.5, 0.1}},
            "A sentence.");
        QVERIFY(tint.isSigned());
        QVERIFY(tint.ofWholeInWords().isEmpty()); // its caption says of which step
        QCOMPARE(tint.lowest(), -0.5);
        QCOMPARE(tint.highest(), 0.5);
        QVERIFY(tint.below().startsWith("hurts") && tint.above().endsWith("helps"));
        QVERIFY(tint.of({{AttentionKind::Cross, 0}, 0})->words.startsWith("rank 2"));
    }

    void importanceOfNextToNothingHasShortBars() {
        const auto tint = tintByImportance({{{{AttentionKind::Cross, 0}, 1}, 1e-6, 0}}, "A sentence.");
        QCOMPARE(tint.highest(), analysis::leastImportance);
        QVERIFY(tint.above().contains("0.0005"));
    }

    void barsReachAsFarAsTheStatisticCan() {
        const auto run = example::run();
        run->source[3] = run->source[6] = run->source[2]; // some token stands there twice
        run->secondText = 4;
        const auto heads = analysis::statisticsOfHeads(*run);
        for (const auto statistic : analysis::allStatistics()) {
            const auto tint = tintByStatistic(statistic, heads);
            const auto isShown = [&](const auto& head) { return tint.of(head.head) != nullptr; };
            for (const auto& head : tests::some(heads | std::views::filter(isShown))) {
                QVERIFY(tint.of(head.head)->number >= tint.lowest() - 1e-6);
                QVERIFY(tint.of(head.head)->number <= tint.highest() + 1e-6);
            }
            const bool hasSign = statistic == Statistic::Offset || statistic == Statistic::Monotony;
            QCOMPARE(tint.isSigned(), hasSign);
        }
        const auto spread = tintByStatistic(Statistic::NormalisedEntropy, heads);
        QCOMPARE(spread.below(), QString("0.00"));
        QCOMPARE(spread.above(), QString("1.00"));
        QCOMPARE(tintByStatistic(Statistic::EffectiveKeys, heads).below(), QString("1.00"));
        const auto offset = tintByStatistic(Statistic::Offset, heads);
        QCOMPARE(offset.lowest(), -offset.highest());
    }

    void nothingIsEmpty() {
        QVERIFY(HeadTint().isEmpty());
        QVERIFY(tintByStatistic(Statistic::Entropy, {}).isEmpty());
    }
};

HEADSCOPE_TEST(HeadTintTest)
#include "head_tint_test.moc"

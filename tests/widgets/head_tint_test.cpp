#include <QTest>

#include "tests/widgets/example_run.h"
#include "widgets/head_tint.h"

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
        QCOMPARE(tint.limit(), 0.5);
        QVERIFY(tint.below().startsWith("hurts") && tint.above().endsWith("helps"));
        QVERIFY(tint.of({{AttentionKind::Cross, 0}, 0})->words.startsWith("rank 2"));
    }

    void nothingIsEmpty() {
        QVERIFY(HeadTint().isEmpty());
        QVERIFY(tintByStatistic(Statistic::Entropy, {}).isEmpty());
    }
};

QTEST_APPLESS_MAIN(HeadTintTest)
#include "head_tint_test.moc"

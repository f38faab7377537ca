#include <QTest>

#include "app/models/reading_trials.h"
#include "tests/registered_test.h"

using namespace headscope;
using namespace headscope::app;
using trace::MissingSetting;
using trace::Need;

class ReadingTrialsTest : public QObject {
    Q_OBJECT

    static std::vector<MissingSetting> questions() {
        return {{.key = "heads", .possible = {"1", "2", "4"}},
                {.key = "norm", .possible = {"pre", "post"}},
                {.key = "start_id", .ids = 9, .need = Need::ToDecode},
                {.key = "pad_id", .ids = 9, .need = Need::Optional}};
    }

  private Q_SLOTS:
    void onlyWhatIsNeededHasToBeAnswered() {
        QVERIFY(!isComplete(questions(), {}));
        QVERIFY(!isComplete(questions(), {{"heads", "2"}, {"norm", "pre"}}));
        QVERIFY(isComplete(questions(), {{"heads", "2"}, {"norm", "pre"}, {"start_id", "0"}}));
    }

    void nothingIsTriedWithoutAnIdThatIsNeeded() { QVERIFY(waysToAnswer(questions(), {}).empty()); }

    void everyWayIsTriedThoseThatAgreeFirst() {
        const auto ways = waysToAnswer(questions(), {{"norm", "post"}, {"start_id", "2"}});
        QCOMPARE(ways.size(), 6u);
        QCOMPARE(ways.front(), (ModelSettings{{"heads", "1"}, {"norm", "post"}, {"start_id", "2"}}));
        for (std::size_t i = 0; i < ways.size(); ++i)
            QCOMPARE(ways[i].at("norm"), std::string(i < 3 ? "post" : "pre"));
    }

    void thereAreNeverTooManyWays() {
        std::vector<MissingSetting> many(6, {.possible = {"1", "2", "3", "4"}});
        for (std::size_t i = 0; i < many.size(); ++i)
            many[i].key = "key" + std::to_string(i);
        QCOMPARE(waysToAnswer(many, {}).size(), 160u);
    }

    void aValueIsAsGoodAsItsBestWay() {
        const ModelSettings start{{"start_id", "2"}};
        const auto ways = waysToAnswer(questions(), start);
        ReadingTrials trials;
        double logProbability = 0;
        for (const auto& way : ways)
            trials.add(way, engine::Trial{.meanLogProbability = logProbability -= 1});
        QCOMPARE(trials.best(ways, "heads", "2", start)->meanLogProbability, -3.0);
        QCOMPARE(trials.best(ways, "norm", "post", start)->meanLogProbability, -2.0);
        // With what else was answered; the answer itself may be another.
        ModelSettings answers{{"start_id", "2"}, {"norm", "post"}, {"heads", "4"}};
        QCOMPARE(trials.best(ways, "heads", "2", answers)->meanLogProbability, -4.0);
        QVERIFY(!trials.best(ways, "heads", "16", answers));
    }

    void aWayThatSaysNothingIsNoComparison() {
        ReadingTrials trials;
        const ModelSettings way{{"heads", "1"}};
        trials.add(way, std::nullopt);
        QVERIFY(trials.wasTried(way));
        QVERIFY(!trials.trial(way) && !trials.best({way}, "heads", "1", {}));
    }
};

HEADSCOPE_TEST(ReadingTrialsTest)
#include "reading_trials_test.moc"

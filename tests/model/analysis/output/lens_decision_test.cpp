#include <QTest>

#include "model/analysis/output/lens_decision.h"
#include "tests/registered_test.h"

using namespace headscope;

class LensDecisionTest : public QObject {
    Q_OBJECT

    /// Stages whose most probable tokens have these ids.
    static std::vector<trace::LensReading> stages(std::initializer_list<std::int64_t> ids) {
        std::vector<trace::LensReading> stages;
        for (const auto id : ids)
            stages.push_back({.candidates = {{.token = {.id = id}}, {.token = {.id = 99}}}});
        return stages;
    }

  private Q_SLOTS:
    void itIsDecidedWhereTheChosenTokenStaysOnTop() {
        QCOMPARE(analysis::decidedStage(stages({7, 5, 7, 7}), 7), std::optional<std::size_t>(2));
    }

    void aTokenThatWasOnTopFromTheFirstIsDecidedThere() {
        QCOMPARE(analysis::decidedStage(stages({7, 7, 7}), 7), std::optional<std::size_t>(0));
    }

    void aTokenThatTheModelDoesNotFindMostProbableIsNeverDecided() {
        QCOMPARE(analysis::decidedStage(stages({7, 7, 5}), 7), std::nullopt);
        QCOMPARE(analysis::decidedStage({}, 7), std::nullopt);
        QCOMPARE(analysis::decidedStage({trace::LensReading()}, 7), std::nullopt);
    }
};

HEADSCOPE_TEST(LensDecisionTest)
#include "lens_decision_test.moc"

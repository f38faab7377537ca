#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/positions/position_focus.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class PositionFocusTest : public QObject {
    Q_OBJECT

    PositionTable source_;
    PositionTable target_;

  private Q_SLOTS:
    void initTestCase() {
        const auto run = example::run();
        source_ = positionTable(*run, PositionSide::Source);
        target_ = positionTable(*run, PositionSide::Target);
    }

    void aTokenLightsItsPositionWhicheverRoleItPlays() {
        const PositionFocus third{.query = 3, .key = 3, .one = 3};
        QCOMPARE(positionFocus({.sourceKey = 3}, source_, PositionSide::Source), third);
        QCOMPARE(positionFocus({.sourceQuery = 3}, source_, PositionSide::Source), third);
        QCOMPARE(positionFocus({.targetQuery = 3}, target_, PositionSide::Target), third);
        QCOMPARE(positionFocus({.targetKey = 3}, target_, PositionSide::Target), third);
    }

    void theOtherSideStaysDark() {
        QCOMPARE(positionFocus({.targetQuery = 3, .targetKey = 2}, source_, PositionSide::Source),
                 PositionFocus());
        QCOMPARE(positionFocus({.sourceKey = 3}, target_, PositionSide::Target), PositionFocus());
    }

    void aCellLightsTwoPositions() {
        const auto encoder = TokenFocus::cell(AttentionKind::EncoderSelf, 2, 7);
        QCOMPARE(positionFocus(encoder, source_, PositionSide::Source), (PositionFocus{2, 7, 7}));
        const auto decoder = TokenFocus::cell(AttentionKind::DecoderSelf, 7, 2);
        QCOMPARE(positionFocus(decoder, target_, PositionSide::Target), (PositionFocus{7, 2, 7}));
    }

    void positionsThatBeginLaterAreFollowed() {
        PositionTable table;
        table.rows = {2, 3, std::nullopt};
        QCOMPARE(positionFocus({.sourceKey = 1}, table, PositionSide::Source).one, 3);
        QVERIFY(!positionFocus({.sourceKey = 2}, table, PositionSide::Source).one);
        QVERIFY(!positionFocus({.sourceKey = 9}, table, PositionSide::Source).one);
        QCOMPARE(tokenFocus(2, 3, table, PositionSide::Source),
                 (TokenFocus{.sourceQuery = 0, .sourceKey = 1}));
    }

    void aPositionOfNoTokenLightsNothing() {
        QVERIFY(tokenFocus(100, 100, source_, PositionSide::Source).isEmpty());
        QVERIFY(tokenFocus(std::nullopt, std::nullopt, source_, PositionSide::Source).isEmpty());
        QCOMPARE(tokenFocus(100, 1, target_, PositionSide::Target), (TokenFocus{.targetKey = 1}));
    }
};

HEADSCOPE_TEST(PositionFocusTest)
#include "position_focus_test.moc"

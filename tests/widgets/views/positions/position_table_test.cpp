#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/positions/position_table.h"

using namespace headscope;
using namespace headscope::widgets;
using trace::AttentionKind;

class PositionTableTest : public QObject {
    Q_OBJECT

    PositionTable source_;
    PositionTable target_;

  private Q_SLOTS:
    void theTableIsTheTensorThatTheModelAdds() {
        const auto run = example::run();
        QCOMPARE(positionTable(*run, PositionSide::Source).all, run->model->sourcePositions);
        QCOMPARE(positionTable(*run, PositionSide::Target).all, run->model->targetPositions);
    }

    void tokensAreFoundAtTheRowThatWasAdded() {
        auto run = example::run();
        const auto source = positionTable(*run, PositionSide::Source);
        QCOMPARE(source.rows.size(), run->source.size());
        for (std::size_t t = 0; t < source.rows.size(); ++t)
            QCOMPARE(source.rows[t], int(t));
        QCOMPARE(positionTable(*run, PositionSide::Target).rows.size(), run->target.size());
    }

    void aModelThatBeginsAtPositionTwoIsFollowed() {
        auto run = example::run();
        const auto& all = *run->model->sourcePositions;
        for (std::size_t t = 0; t < run->sourcePositions.rows(); ++t)
            for (std::size_t i = 0; i < run->sourcePositions.columns(); ++i)
                run->sourcePositions(t, i) = all(t + 2, i);
        QCOMPARE(positionTable(*run, PositionSide::Source).rows.front(), 2);
    }

    void whatIsInNoRowIsNotMarked() {
        auto run = example::run();
        run->sourcePositions(3, 0) += 9;
        const auto table = positionTable(*run, PositionSide::Source);
        QVERIFY(!table.rows[3]);
        QCOMPARE(table.rows[4], 4);
    }

    void aModelWithoutPositionsHasNoTable() {
        QVERIFY(!positionTable(*example::run({.positions = false}), PositionSide::Source).all);
    }

    void dimensionsAreReadAsTyped() {
        using Numbers = std::vector<int>;
        QCOMPARE(parseDimensions("4, 5,6", 64, 8), std::optional(Numbers{4, 5, 6}));
        QCOMPARE(parseDimensions("0-3, 2, 9", 64, 8), std::optional(Numbers{0, 1, 2, 3, 9}));
        QCOMPARE(parseDimensions("0-63", 64, 8)->size(), std::size_t(8));
        for (const char* wrong : {"", ",", "x", "64", "-1", "3-1", "1-2-3", "4 5"})
            QVERIFY2(!parseDimensions(wrong, 64, 8), wrong);
    }

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

HEADSCOPE_TEST(PositionTableTest)
#include "position_table_test.moc"

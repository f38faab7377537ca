#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/views/positions/position_table.h"

using namespace headscope;
using namespace headscope::widgets;

class PositionTableTest : public QObject {
    Q_OBJECT

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
};

HEADSCOPE_TEST(PositionTableTest)
#include "position_table_test.moc"

#include <QRandomGenerator>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/map/linked_maps.h"

#include <cmath>

using namespace headscope;
using namespace headscope::widgets;

class LinkedMapsTest : public QObject {
    Q_OBJECT

    static LinkedMap randomMap(QRandomGenerator& random, Pooling pooling) {
        LinkedMap map{.pooling = pooling};
        map.values = {std::size_t(random.bounded(1, 90)), std::size_t(random.bounded(1, 90))};
        map.mask = {map.values.rows(), map.values.columns()};
        for (auto& value : map.values.values())
            value = random.bounded(40) == 0 ? std::nanf("") : float(random.bounded(40.0) - 20);
        const int closed = random.bounded(1, 20);
        for (auto& open : map.mask.values())
            open = random.bounded(20) >= closed;
        map.rowLabels.resize(map.values.rows());
        map.columnLabels.resize(map.values.columns());
        return map;
    }

  private Q_SLOTS:
    void aSmallerMapShowsTheCellThatItsPoolingSays_data() {
        QTest::addColumn<int>("pooling");
        QTest::newRow("largest") << int(Pooling::Largest);
        QTest::newRow("extreme") << int(Pooling::Extreme);
    }

    void aSmallerMapShowsTheCellThatItsPoolingSays() {
        QFETCH(int, pooling);
        QRandomGenerator random(3);
        for (int attempt = 0; attempt < 200; ++attempt) {
            const auto map = randomMap(random, Pooling(pooling));
            const auto small = pooled(map, random.bounded(1, 100));
            const auto tokens = std::size_t(small.tokensACell);
            QCOMPARE(small.values.rows(), (map.values.rows() + tokens - 1) / tokens);
            QCOMPARE(small.rowLabels.size(), small.values.rows());
            trace::Matrix expected(small.values.rows(), small.values.columns());
            trace::MaskMatrix open(expected.rows(), expected.columns());
            for (std::size_t row = 0; row < map.values.rows(); ++row)
                for (std::size_t column = 0; column < map.values.columns(); ++column) {
                    if (!map.mask(row, column))
                        continue;
                    const float value = map.values(row, column);
                    float& best = expected(row / tokens, column / tokens);
                    auto& any = open(row / tokens, column / tokens);
                    const bool wins =
                        map.pooling == Pooling::Largest ? value > best : std::abs(value) > std::abs(best);
                    if (!any || std::isnan(value) || (!std::isnan(best) && wins))
                        best = value;
                    any = 1;
                }
            QCOMPARE(small.mask, open);
            for (std::size_t i = 0; i < open.values().size(); ++i)
                if (open.values()[i]) {
                    const float shown = small.values.values()[i], wanted = expected.values()[i];
                    QVERIFY(std::isnan(wanted) ? std::isnan(shown) : shown == wanted);
                }
        }
    }

    void theScoreThatGetsTheWeightIsNotHiddenByALargerNegativeOne() {
        LinkedMap map{.pooling = Pooling::Largest};
        map.values = trace::Matrix(2, 2);
        map.values(0, 0) = -20;
        map.values(1, 1) = 6;
        QCOMPARE(pooled(map, 1).values(0, 0), 6.0f);
        map.pooling = Pooling::Extreme;
        QCOMPARE(pooled(map, 1).values(0, 0), -20.0f);
    }
};

HEADSCOPE_TEST(LinkedMapsTest)
#include "linked_maps_test.moc"

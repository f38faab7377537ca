#include <QTest>

#include "model/trace/recompute_recipe.h"
#include "tests/registered_test.h"

#include <cmath>
#include <random>

using namespace headscope::trace;

class RecomputeRecipeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void rangesOfAllowedKeysAreTheMask() {
        std::mt19937 random(3);
        for (int attempt = 0; attempt < 50; ++attempt) {
            const std::size_t columns = 1 + random() % 40;
            const std::size_t rows = 1 + random() % 10;
            AllowedRanges ranges(columns);
            std::vector<std::vector<std::uint8_t>> mask;
            for (std::size_t row = 0; row < rows; ++row) {
                mask.emplace_back(columns);
                for (auto& cell : mask.back())
                    cell = random() % 3 > 0;
                ranges.addRow(mask.back());
            }
            QCOMPARE(ranges.rows(), rows);
            std::vector<std::uint8_t> copied(columns, 7);
            for (std::size_t row = 0; row < rows; ++row) {
                ranges.copyRow(row, copied);
                QVERIFY(copied == mask[row]);
                QCOMPARE(ranges.anyOpen(row), std::ranges::count(mask[row], 1) > 0);
                for (std::size_t column = 0; column < columns; ++column)
                    QCOMPARE(ranges.isOpen(row, column), mask[row][column] != 0);
            }
        }
    }

    void aShorterRowIsClosedBeyondItsEnd() {
        AllowedRanges ranges(3);
        ranges.addRow(std::vector<std::uint8_t>{1});
        ranges.repeatRow();
        QVERIFY(ranges.isOpen(1, 0) && !ranges.isOpen(1, 1) && !ranges.isOpen(0, 2));
    }

    void theWorstOfTwoMeasurementsKnowsNoNumber() {
        const RowsMeasured bad{.rows = 1, .rowSum = std::nan(""), .maskedCell = 0.5};
        const RowsMeasured good{.rows = 2, .rowSum = 0.1, .maskedCell = 0};
        for (const auto& both : {worst(bad, good), worst(good, bad)}) {
            QVERIFY(std::isnan(both.rowSum));
            QCOMPARE(both.maskedCell, 0.5);
            QCOMPARE(both.rows, std::size_t(3));
        }
    }
};

HEADSCOPE_TEST(RecomputeRecipeTest)
#include "recompute_recipe_test.moc"

#include <QTest>

#include "tests/registered_test.h"
#include "tests/widgets/example_run.h"
#include "widgets/map/mask_parts.h"

using namespace headscope;
using namespace headscope::widgets;

class MaskPartsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aRowSeesItselfAndWhatIsBeforeIt() {
        const auto mask = subsequentMask(5);
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 5; ++j)
                QCOMPARE(mask(i, j) != 0, j <= i);
    }

    void paddingKeysAreClosedInEveryRow() {
        const auto run = example::run({.sourcePadding = 2});
        const auto mask = paddingMask(3, run->source);
        QCOMPARE(mask.rows(), std::size_t(3));
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t key = 0; key < run->source.size(); ++key)
                QCOMPARE(mask(row, key) != 0, key + 2 < run->source.size());
    }

    void bothMasksTogetherAreOpenWhereBothAre() {
        const trace::MaskMatrix one(1, 4, std::vector<std::uint8_t>{1, 1, 0, 0});
        const trace::MaskMatrix other(1, 4, std::vector<std::uint8_t>{1, 0, 1, 0});
        QCOMPARE(intersection(one, other).values(), (std::vector<std::uint8_t>{1, 0, 0, 0}));
    }

    void theFirstDifferenceIsFoundInReadingOrder() {
        auto mask = subsequentMask(6);
        QVERIFY(!firstDifference(mask, subsequentMask(6)));
        mask(4, 5) = 1;
        mask(2, 4) = 1;
        QCOMPARE(firstDifference(mask, subsequentMask(6)), (MapCell{2, 4}));
        QCOMPARE(firstDifference(mask, subsequentMask(5)), MapCell());
    }
};

HEADSCOPE_TEST(MaskPartsTest)
#include "mask_parts_test.moc"

#include <QTest>

#include "tests/registered_test.h"
#include "widgets/views/masks/batch_grid_layout.h"

using namespace headscope::widgets;

namespace {

BatchGridLayout layout(double width, std::size_t source, std::size_t target) {
    return BatchGridLayout({.width = width,
                            .nameWidth = 60,
                            .lineHeight = 16,
                            .sentences = 2,
                            .sourceWidths = std::vector<double>(source, 50),
                            .targetWidths = std::vector<double>(target, 40)});
}

} // namespace

class BatchGridLayoutTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theLabelStandsUnderWhatIsFed() {
        const auto grid = layout(1000, 4, 5);
        QCOMPARE(grid.rows(), 6);
        for (int column = 0; column < 5; ++column) {
            const QRectF fed = grid.cellRect(2, column);
            const QRectF label = grid.cellRect(3, column);
            QCOMPARE(label.left(), fed.left());
            QCOMPARE(label.top(), fed.bottom());
        }
        QVERIFY(grid.isLabel(3) && !grid.isLabel(2) && grid.isSource(1));
        QCOMPARE(grid.sentenceOf(5), 1);
    }

    void whatIsTooWideGoesOnBelow() {
        const auto grid = layout(60 + 2 * 52, 5, 2);
        QCOMPARE(grid.cellRect(0, 2).left(), grid.cellRect(0, 0).left());
        QVERIFY(grid.cellRect(0, 2).top() > grid.cellRect(1, 0).bottom());
        QCOMPARE(grid.nameRects(0).size(), std::size_t(3));
        QVERIFY(grid.height() >= grid.cellRect(5, 1).bottom());
    }

    void everyCellIsFoundWhereItStands() {
        const auto grid = layout(300, 7, 9);
        for (int row = 0; row < grid.rows(); ++row)
            for (int column = 0; column < grid.columnsOf(row); ++column) {
                QCOMPARE(grid.cellAt(grid.cellRect(row, column).center()),
                         std::optional(MapCell{row, column}));
                QVERIFY(grid.cellRect(row, column).right() <= 300);
            }
        QVERIFY(!grid.cellAt({2, 2}));
    }

    void anEncoderAloneHasSourcesOnly() {
        const auto grid = layout(300, 3, 0);
        QCOMPARE(grid.rows(), 2);
        QVERIFY(grid.height() > 0);
    }

    void aTokenWiderThanTheRoomStaysInIt() {
        const auto grid = layout(90, 2, 2);
        QVERIFY(grid.cellRect(0, 1).right() <= 90);
    }

    void nothingTakesNoRoom() {
        QCOMPARE(BatchGridLayout().height(), 0.0);
        QVERIFY(!BatchGridLayout().cellAt({}));
        QVERIFY(BatchGridLayout().cellRect(0, 0).isNull());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, BatchGridLayoutTest)
#include "batch_grid_layout_test.moc"

#include <QTest>

#include "tests/registered_test.h"
#include "widgets/views/lens/lens_layout.h"

using namespace headscope::widgets;

class LensLayoutTest : public QObject {
    Q_OBJECT

    static LensLayoutInput input(int columns, double label = 50) {
        return {.rows = 19,
                .columnWidths = std::vector<double>(static_cast<std::size_t>(columns), label),
                .layerWidth = 30,
                .nameWidth = 120,
                .lineHeight = 16};
    }

  private Q_SLOTS:
    void nothingOverlaps() {
        const LensLayout layout(input(12), {900, 300});
        for (int column = 1; column < layout.columns(); ++column)
            QCOMPARE(layout.cell({0, column}).left(), layout.cell({0, column - 1}).right());
        for (int row = 1; row < layout.rows(); ++row)
            QCOMPARE(layout.cell({row, 0}).top(), layout.cell({row - 1, 0}).bottom());
        QVERIFY(layout.cell({0, 0}).left() >= layout.rowHeading(0).right());
        QVERIFY(layout.cell({0, 0}).top() >= layout.columnHeading(0).bottom());
    }

    void aRowHasRoomForALineAndMoreRowsThanFitAreThere() {
        const LensLayout layout(input(12), {900, 300});
        QVERIFY(layout.rowHeight() >= 16);
        QVERIFY(layout.whole().height() > 300);
        QCOMPARE(layout.whole().height(), layout.headingHeight() + 19 * layout.rowHeight());
    }

    void roomThatIsLeftIsShared() {
        QVERIFY(LensLayout(input(4), {900, 900}).cell({0, 0}).width() >
                LensLayout(input(40), {900, 300}).cell({0, 0}).width());
        QVERIFY(LensLayout(input(4), {900, 900}).rowHeight() > LensLayout(input(4), {900, 300}).rowHeight());
    }

    void aVeryLongLabelDoesNotTakeEverything() {
        QVERIFY(LensLayout(input(12, 4000), {900, 300}).cell({0, 0}).width() < 200);
        auto long_ = input(12);
        long_.nameWidth = 4000;
        QVERIFY(LensLayout(long_, {900, 300}).headingWidth() <= 360);
    }

    void whatIsScrolledUnderTheHeadingsIsNotFoundThere() {
        const LensLayout layout(input(40), {900, 300});
        const QPointF offset(200, 100);
        const QPointF corner(layout.headingWidth() + 1, layout.headingHeight() + 1);
        const auto cell = layout.cellAt(corner, offset);
        QVERIFY(cell);
        QVERIFY(layout.cell(*cell).translated(-offset).contains(corner));
        QVERIFY(!layout.cellAt(corner - QPointF(2, 0), offset));
        QVERIFY(!layout.cellAt(corner - QPointF(0, 2), offset));
        QCOMPARE(layout.rowHeadingAt(corner - QPointF(2, 0), offset), std::optional(cell->row));
        QCOMPARE(layout.columnHeadingAt(corner - QPointF(0, 2), offset), std::optional(cell->column));
        QVERIFY(!layout.cellAt({5000, 50}, {}));
    }

    void onAPageColumnsAreCutWhereOneEnds() {
        const LensLayout layout(input(40), {480, 0});
        const auto pieces = layout.pieces(1000);
        QVERIFY(pieces.size() > 1);
        QCOMPARE(pieces.front().first, 0.0);
        QCOMPARE(pieces.back().second, layout.whole().width() - layout.headingWidth());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            QVERIFY(layout.headingWidth() + pieces[i].second - pieces[i].first <= 1000);
            QVERIFY(i == 0 || pieces[i].first == pieces[i - 1].second);
        }
        QCOMPARE(layout.pieces(1).size(), std::size_t(40));
    }

    void withoutColumnsThereIsNothing() {
        QVERIFY(LensLayout(input(0), {900, 300}).pieces(1000).empty());
        const LensLayout layout(input(0), {900, 300});
        QVERIFY(layout.isEmpty());
        QVERIFY(!layout.cellAt({400, 100}, {}));
        QVERIFY(LensLayout().isEmpty());
    }
};

HEADSCOPE_TEST(LensLayoutTest)
#include "lens_layout_test.moc"

#include <QRandomGenerator>
#include <QTest>

#include "tests/registered_test.h"
#include "widgets/map/map_layout.h"

#include <algorithm>
#include <tuple>
#include <vector>

using namespace headscope::widgets;

class MapLayoutTest : public QObject {
    Q_OBJECT

    static MapLayoutInput random(QRandomGenerator& generator) {
        MapLayoutInput input{.area = QRectF(generator.bounded(20), generator.bounded(20),
                                            200 + generator.bounded(1200), 150 + generator.bounded(900)),
                             .rows = generator.bounded(1, 130),
                             .columns = generator.bounded(1, 130),
                             .lineHeight = double(generator.bounded(10, 30)),
                             .rightMargin = double(generator.bounded(80))};
        for (int i = 0; i < input.rows; ++i)
            input.rowLabelWidths.push_back(generator.bounded(5, 160));
        for (int i = 0; i < input.columns; ++i)
            input.columnLabelWidths.push_back(generator.bounded(5, 160));
        return input;
    }

    /// Two rectangles, possibly turned alike, overlap by more than their edges.
    static bool overlap(const QPolygonF& one, const QPolygonF& other) {
        const QPolygonF both = one.intersected(other);
        double twiceArea = 0;
        for (qsizetype i = 0; i + 1 < both.size(); ++i)
            twiceArea += both[i].x() * both[i + 1].y() - both[i + 1].x() * both[i].y();
        return std::abs(twiceArea) > 2;
    }

  private Q_SLOTS:
    void labelsNeverOverlap() {
        QRandomGenerator generator(11);
        for (int attempt = 0; attempt < 200; ++attempt) {
            const MapLayoutInput input = random(generator);
            const MapLayout layout(input);
            const auto& columns = headscope::tests::some(layout.labelledColumns());
            for (std::size_t i = 1; i < columns.size(); ++i)
                QVERIFY2(
                    !overlap(layout.columnLabelShape(columns[i - 1]), layout.columnLabelShape(columns[i])),
                    qPrintable(
                        QString("%1 degrees, %2 columns").arg(layout.columnLabelAngle()).arg(input.columns)));
            const auto& rows = headscope::tests::some(layout.labelledRows());
            for (std::size_t i = 1; i < rows.size(); ++i)
                QVERIFY(layout.rowLabelRect(rows[i - 1]).bottom() <= layout.rowLabelRect(rows[i]).top() + 1);
        }
    }

    void everythingStaysWithinTheArea() {
        QRandomGenerator generator(12);
        for (int attempt = 0; attempt < 200; ++attempt) {
            const MapLayoutInput input = random(generator);
            const MapLayout layout(input);
            const QRectF area = input.area.adjusted(-1.5, -1.5, 1.5, 1.5);
            QVERIFY(area.contains(layout.plot()));
            for (const int row : layout.labelledRows())
                QVERIFY(layout.rowLabelRect(row).left() >= area.left());
            for (const int column : layout.labelledColumns()) {
                const QRectF shape = layout.columnLabelShape(column).boundingRect();
                QVERIFY2(area.contains(shape),
                         qPrintable(QString("column %1 of %2").arg(column).arg(input.columns)));
                QVERIFY(shape.top() >= area.top());
                QVERIFY(shape.bottom() <= layout.plot().top());
            }
        }
    }

    void aCellIsFoundWhereItIsDrawn() {
        QRandomGenerator generator(13);
        int found = 0;
        for (int attempt = 0; attempt < 60; ++attempt) {
            MapLayoutInput input = random(generator);
            if (attempt % 2)
                input.window =
                    QRectF(input.columns * 0.13, input.rows * 0.27, input.columns * 0.5, input.rows * 0.6);
            const MapLayout layout(input);
            for (int row = 0; row < input.rows; row += 3)
                for (int column = 0; column < input.columns; column += 3) {
                    const QPointF middle = layout.cellRect(row, column).center();
                    if (layout.plot().contains(middle)) {
                        QCOMPARE(layout.cellAt(middle), (MapCell{row, column}));
                        ++found;
                    }
                }
        }
        QVERIFY(found > 1000);
    }

    void everyPixelOfALargeCellBelongsToIt() {
        const MapLayout layout({.area = {0, 0, 403, 317}, .rows = 7, .columns = 9});
        for (int row = 0; row < 7; ++row)
            for (int column = 0; column < 9; ++column) {
                const QRectF cell = layout.cellRect(row, column);
                QCOMPARE(cell, QRectF(cell.toRect()));
                QCOMPARE(layout.cellAt(cell.topLeft()), (MapCell{row, column}));
                QCOMPARE(layout.cellAt(cell.bottomRight() - QPointF(0.5, 0.5)), (MapCell{row, column}));
            }
    }

    void outsideOfThePlotThereIsNoCell() {
        const MapLayout layout({.area = {0, 0, 400, 300}, .rows = 5, .columns = 5});
        QVERIFY(!layout.cellAt(layout.plot().topLeft() - QPointF(1, 1)));
        QVERIFY(!layout.cellAt(layout.plot().bottomRight()));
        QVERIFY(!MapLayout().cellAt({10, 10}));
    }

    void aLabelIsFoundWhereItIsDrawn() {
        QRandomGenerator generator(16);
        for (int attempt = 0; attempt < 60; ++attempt) {
            const MapLayoutInput input = random(generator);
            const MapLayout layout(input);
            if (layout.cellSize().width() < 4 || layout.cellSize().height() < 4)
                continue;
            for (const int row : layout.labelledRows())
                QCOMPARE(layout.rowLabelAt(layout.rowLabelRect(row).center()), std::optional(row));
            for (const int column : layout.labelledColumns()) {
                const QPointF middle = layout.columnLabelShape(column).boundingRect().center();
                QCOMPARE(layout.columnLabelAt(middle), std::optional(column));
            }
            QVERIFY(!layout.rowLabelAt(layout.plot().center()));
            QVERIFY(!layout.columnLabelAt(layout.plot().center()));
        }
    }

    void firstRowIsAtTheTop() {
        const MapLayout layout({.area = {0, 0, 400, 300}, .rows = 5, .columns = 5});
        QVERIFY(layout.cellRect(0, 0).top() < layout.cellRect(1, 0).top());
        QCOMPARE(layout.cellRect(0, 0).topLeft(), layout.plot().topLeft());
    }

    /// A row is seen, and named, where its middle is.
    void aRowIsShownWhereItsMiddleIs() {
        MapLayout layout({.area = {0, 0, 500, 900}, .rows = 10, .columns = 10});
        const auto shown = [&](QRectF window) {
            layout.show(window);
            std::vector<int> rows, columns;
            for (int i = -1; i <= 10; ++i) {
                if (layout.showsRow(i))
                    rows.push_back(i);
                if (layout.showsColumn(i))
                    columns.push_back(i);
            }
            return std::tuple(rows, layout.labelledRows(), columns, layout.labelledColumns());
        };
        const auto all = [](std::vector<int> rows, std::vector<int> columns) {
            return std::tuple(rows, rows, columns, columns);
        };
        QCOMPARE(shown(QRectF(3.5, 2.5, 3, 4)), all({2, 3, 4, 5, 6}, {3, 4, 5, 6}));
        QCOMPARE(shown(QRectF(3.6, 2.6, 2.8, 3.8)), all({3, 4, 5}, {4, 5}));
        QCOMPARE(shown(QRectF(2, 3, 4, 5)), all({3, 4, 5, 6, 7}, {2, 3, 4, 5}));
        QCOMPARE(shown({}), all({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    }

    void labelsAreLevelWhereTheyFitAndTurnedWhereTheyDoNot() {
        MapLayoutInput input{.area = {0, 0, 900, 600}, .rows = 10, .columns = 8};
        input.columnLabelWidths.assign(8, 50);
        QCOMPARE(MapLayout(input).columnLabelAngle(), 0);
        QVERIFY(MapLayout(input).plot().top() < 2 * input.lineHeight); // and take no more than a line
        input.columnLabelWidths.assign(8, 110);
        QCOMPARE(MapLayout(input).columnLabelAngle(), 45);
        input.columns = 60;
        input.columnLabelWidths.assign(60, 50);
        QCOMPARE(MapLayout(input).columnLabelAngle(), 90);
    }

    void cellsAreSquareIsh() {
        QRandomGenerator generator(14);
        for (int attempt = 0; attempt < 100; ++attempt) {
            MapLayoutInput input = random(generator);
            input.rows = input.columns = std::min(input.rows, 40);
            const QSizeF cell = MapLayout(input).cellSize();
            QVERIFY(cell.width() / cell.height() < 2.2);
            QVERIFY(cell.height() / cell.width() < 2.2);
        }
    }

    void anOblongMapFillsWhatItCan() {
        const MapLayout wide({.area = {0, 0, 900, 600}, .rows = 15, .columns = 180});
        QVERIFY(wide.plot().width() > 850);
        QCOMPARE(std::round(wide.cellSize().height() / wide.cellSize().width()), 4.0);
        const MapLayout tall({.area = {0, 0, 900, 600}, .rows = 180, .columns = 15});
        QVERIFY(tall.plot().height() > 550);
        QCOMPARE(std::round(tall.cellSize().width() / tall.cellSize().height()), 4.0);
    }

    void aTableMayFillThePageWhateverItsShape() {
        MapLayoutInput input{.area = {0, 0, 900, 500}, .rows = 100, .columns = 64};
        QVERIFY(MapLayout(input).plot().width() < 600);
        input.oblongCell = 4;
        QVERIFY(MapLayout(input).plot().width() > 850);
    }

    void noCellIsLongerThanFourOfItsWidths() {
        QRandomGenerator generator(17);
        for (int attempt = 0; attempt < 200; ++attempt) {
            const MapLayout layout(random(generator));
            const QSizeF cell = layout.cellSize();
            const double longest = std::max(cell.width() / cell.height(), cell.height() / cell.width());
            QVERIFY(longest < 4.5); // sides are rounded to pixels
            const bool square = std::abs(layout.plot().width() - layout.plot().height()) < 2;
            if (longest > 2.2) // stretched: the cells lie across the map's longer side
                QVERIFY(square ||
                        (cell.width() < cell.height()) == (layout.plot().width() > layout.plot().height()));
        }
    }

    void thePlotStaysWhereItIsWhileAPersonZooms() {
        QRandomGenerator generator(15);
        for (int attempt = 0; attempt < 50; ++attempt) {
            MapLayoutInput input = random(generator);
            const MapLayout whole(input);
            input.window = zoomedWindow(whole.window(), {1, 1}, 3, input.rows, input.columns);
            QCOMPARE(MapLayout(input).plot(), whole.plot());
        }
    }

    void anotherPartIsShownAsIfItWereLaidOutAnew() {
        QRandomGenerator generator(16);
        for (int attempt = 0; attempt < 50; ++attempt) {
            MapLayoutInput input = random(generator);
            MapLayout moved(input);
            const MapLayout whole = moved;
            for (const double factor : {8.0, 2.0, 0.01}) {
                input.window = zoomedWindow(whole.window(), {1, 1}, factor, input.rows, input.columns);
                moved.show(input.window);
                const MapLayout anew(input);
                QCOMPARE(moved.window(), anew.window());
                QCOMPARE(moved.plot(), anew.plot());
                QCOMPARE(moved.columnLabelAngle(), anew.columnLabelAngle());
                QCOMPARE(moved.columnLabelLength(0), anew.columnLabelLength(0));
                QCOMPARE(moved.labelledRows(), anew.labelledRows());
                QCOMPARE(moved.labelledColumns(), anew.labelledColumns());
                QCOMPARE(moved.cellRect(1, 1), anew.cellRect(1, 1));
            }
            moved.show({});
            QCOMPARE(moved.window(), whole.window());
        }
    }

    void zoomingKeepsThePointUnderThePointer() {
        const QRectF all(0, 0, 100, 80);
        const QRectF near = zoomedWindow(all, {30, 20}, 2, 80, 100);
        QCOMPARE(near.size(), QSizeF(50, 40));
        QCOMPARE((30 - near.left()) / near.width(), 0.3);
        QCOMPARE(zoomedWindow(near, {30, 20}, 0.001, 80, 100), all);
        QCOMPARE(zoomedWindow(near, {30, 20}, 1000, 80, 100).size(), QSizeF(4, 4));
        QCOMPARE(zoomedWindow(QRectF(0, 0, 2, 3), {1, 1}, 10, 3, 2), QRectF(0, 0, 2, 3));
    }

    void panningStopsAtTheEdges() {
        const QRectF window(10, 10, 20, 20);
        QCOMPARE(pannedWindow(window, {-50, 3}, 40, 40), QRectF(0, 13, 20, 20));
        QCOMPARE(pannedWindow(window, {50, 50}, 40, 40), QRectF(20, 20, 20, 20));
    }

    void theWindowFollowsTheCursorAsLittleAsItCan() {
        const QRectF window(10, 10, 20, 20);
        QCOMPARE(windowShowing(window, {15, 15}, 100, 100), window);
        QCOMPARE(windowShowing(window, {30, 9}, 100, 100), QRectF(9, 11, 20, 20));
    }
};

HEADSCOPE_TEST(MapLayoutTest)
#include "map_layout_test.moc"

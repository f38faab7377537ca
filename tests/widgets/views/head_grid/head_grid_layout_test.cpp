#include <QTest>

#include "tests/registered_test.h"
#include "widgets/views/head_grid/head_grid_layout.h"

using namespace headscope;
using namespace headscope::widgets;

class HeadGridLayoutTest : public QObject {
    Q_OBJECT

    static std::vector<trace::HeadAddress> heads(int layers, int heads) {
        std::vector<trace::HeadAddress> all;
        for (int layer = 0; layer < layers; ++layer)
            for (int head = 0; head < heads; ++head)
                all.push_back({{trace::AttentionKind::Cross, layer}, head});
        return all;
    }

  private Q_SLOTS:
    void rowsAreFilledOneAfterTheOther() {
        const auto grid = layOutHeads(
            {.heads = heads(3, 8), .columns = 8, .available = {900, 500}, .headings = {60, 20}, .words = 40});
        QCOMPARE(grid.rows(), 3);
        QCOMPARE(grid.cell(0).topLeft(), grid.origin);
        QCOMPARE(grid.cell(8).left(), grid.cell(0).left());
        QCOMPARE(grid.cell(1).left(), grid.cell(0).right() + 1 + HeadGridLayout::gap);
        QVERIFY(grid.placeOf({{trace::AttentionKind::Cross, 1}, 2}) == 10);
        QVERIFY(!grid.placeOf({{trace::AttentionKind::Cross, 3}, 0}));
        QVERIFY(grid.whole.width() <= 900 && grid.whole.height() <= 500);
    }

    void aFootStandsUnderEveryPictureAndBelowNothingElse() {
        const auto grid = layOutHeads(
            {.heads = heads(2, 2), .columns = 2, .available = {300, 300}, .foot = 20, .mayScroll = true});
        for (int place = 0; place < 4; ++place) {
            QCOMPARE(grid.footOf(place).height(), 20);
            QCOMPARE(grid.footOf(place).top(), grid.cell(place).bottom() + 1);
            for (int other = 0; other < 4; ++other)
                QVERIFY(!grid.footOf(place).intersects(grid.cell(other)));
        }
    }

    void freeColumnsGiveTheLargestPicturesThatFit() {
        for (const QSize room : {QSize(460, 600), QSize(900, 300), QSize(300, 900), QSize(200, 200)}) {
            const HeadGridWish wish{.heads = heads(3, 8), .available = room, .foot = 12, .words = 40};
            const auto grid = layOutHeads(wish);
            QVERIFY(grid.whole.width() <= room.width() && grid.whole.height() <= room.height());
            for (int columns = 1; columns <= 24; ++columns) {
                auto fixed = wish;
                fixed.columns = columns;
                const auto other = layOutHeads(fixed);
                if (other.whole.width() <= room.width() && other.whole.height() <= room.height())
                    QVERIFY(grid.side.width() * grid.side.height() >=
                            other.side.width() * other.side.height());
            }
        }
    }

    void picturesThatWouldBeTooSmallScroll() {
        const auto grid =
            layOutHeads({.heads = heads(12, 16), .available = {460, 300}, .words = 40, .mayScroll = true});
        QVERIFY(grid.side.width() >= 56);
        QVERIFY(grid.whole.height() > 300);
        QVERIFY(grid.whole.width() <= 460);
    }

    void anIncompleteRowIsARow() {
        const auto grid = layOutHeads({.heads = heads(1, 5), .columns = 3, .available = {400, 400}});
        QCOMPARE(grid.rows(), 2);
        QCOMPARE(grid.count(), 5);
        QVERIFY(grid.whole.height() > grid.cell(4).bottom());
        QVERIFY(HeadGridLayout().isEmpty());
        QCOMPARE(HeadGridLayout().rows(), 0);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, HeadGridLayoutTest)
#include "head_grid_layout_test.moc"

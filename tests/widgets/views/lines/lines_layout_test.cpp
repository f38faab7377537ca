#include <QTest>

#include "tests/watched_test.h"
#include "widgets/views/lines/lines_layout.h"

using namespace headscope::widgets;

class LinesLayoutTest : public QObject {
    Q_OBJECT

    static LinesLayoutInput input(int queries, int keys, bool scrolls = true) {
        return {.area = {10, 20, 600, 400},
                .queries = queries,
                .keys = keys,
                .queryLabelWidth = 80,
                .keyLabelWidth = 60,
                .numbersWidth = 40,
                .lineHeight = 16,
                .scrolls = scrolls};
    }

  private Q_SLOTS:
    void queriesStandOnTheLeftAndKeysOnTheRight() {
        const LinesLayout layout(input(12, 10));
        QVERIFY(layout.queryRect(0).right() < layout.queryEnd(0).x());
        QVERIFY(layout.queryEnd(0).x() < layout.keyEnd(0).x());
        QVERIFY(layout.keyEnd(0).x() < layout.keyRect(0).left());
        QCOMPARE(layout.queryEnd(3).y(), layout.keyEnd(3).y());
        QVERIFY(layout.area().contains(layout.numbersOfQuery(0)));
        QVERIFY(layout.area().contains(layout.numbersOfKey(0)));
    }

    void aTokenIsFoundWhereItStands() {
        const LinesLayout layout(input(12, 10));
        for (const int row : {0, 5, 9}) {
            QCOMPARE(layout.queryAt(layout.queryRect(row).center()), std::optional(row));
            QCOMPARE(layout.keyAt(layout.keyRect(row).center()), std::optional(row));
            QVERIFY(!layout.keyAt(layout.queryRect(row).center()));
        }
        QVERIFY(!layout.keyAt(layout.keyRect(11).center()));
        QVERIFY(!layout.queryAt({0, 0}));
    }

    void labelsNeverTouchEachOther() {
        for (const int tokens : {3, 25, 60, 450}) {
            const LinesLayout scrolling(input(tokens, tokens));
            QCOMPARE(scrolling.labelEvery(), 1);
            QVERIFY(scrolling.rowHeight() >= 16);
            const LinesLayout page(input(tokens, tokens, false));
            QVERIFY(page.rowHeight() * page.labelEvery() >= 15.8);
            QVERIFY(page.contentHeight() <= 400.01);
        }
    }

    void aRowOutOfSightIsScrolledTo() {
        LinesLayoutInput far = input(60, 60);
        far.scrolled = LinesLayout(far).scrolledToShow(59);
        QVERIFY(far.scrolled > 0);
        const LinesLayout layout(far);
        QVERIFY(layout.area().adjusted(0, -0.01, 0, 0.01).contains(layout.queryRect(59)));
        QCOMPARE(layout.scrolledToShow(59), far.scrolled);
        QVERIFY(layout.scrolledToShow(0) < 0.01);
    }

    void narrowPlacesShortenTheLabels() {
        LinesLayoutInput narrow = input(3, 3);
        narrow.area.setWidth(220);
        const LinesLayout layout(narrow);
        QVERIFY(layout.queryRect(0).width() < 80);
        QVERIFY(layout.keyEnd(0).x() - layout.queryEnd(0).x() >= 40);
        QVERIFY(layout.numbersOfKey(0).right() <= narrow.area.right() + 0.01);
    }

    void nothingIsNoError() {
        QVERIFY(LinesLayout().empty());
        QVERIFY(!LinesLayout(input(0, 5)).keyAt({300, 100}));
    }
};

HEADSCOPE_WATCHED_TEST(LinesLayoutTest)
#include "lines_layout_test.moc"

#include <QTest>

#include "widgets/map_extras.h"

using namespace headscope::widgets;

class MapExtrasTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aNumberInACellNeverStatesAFalseZero() {
        QCOMPARE(cellNumber(0, 2), "0");
        QCOMPARE(cellNumber(-0.0f, 2), "0");
        QCOMPARE(cellNumber(0.004f, 2), "<.01");
        QCOMPARE(cellNumber(-0.004f, 2), ">\u2212.01");
        QCOMPARE(cellNumber(1e-30f, 6), "<.000001");
        QCOMPARE(cellNumber(0.006f, 2), "0.01");
        QCOMPARE(cellNumber(-0.25f, 2), "\u22120.25");
        QCOMPARE(cellNumber(0.3f, 0), "<1");
        QCOMPARE(cellNumber(12.0f, 0), "12");
    }
};

QTEST_APPLESS_MAIN(MapExtrasTest)
#include "map_extras_test.moc"

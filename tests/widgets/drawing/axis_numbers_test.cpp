#include <QTest>

#include "tests/watched_test.h"
#include "widgets/drawing/axis_numbers.h"

using namespace headscope::widgets;

class AxisNumbersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theNumbersOfAnAxisHaveOneForm() {
        QCOMPARE(logarithmicTickText(1, 0.001, 10000), "1");
        QCOMPARE(logarithmicTickText(10000, 0.001, 10000), "10000");
        QCOMPARE(logarithmicTickText(0.001, 0.001, 10000), "0.001");
        QCOMPARE(logarithmicTickText(0.02, 0.01, 0.5), "0.02");
        QCOMPARE(logarithmicTickText(0.01, 1e-5, 1), "10⁻²");
        QCOMPARE(logarithmicTickText(1, 1e-5, 1), "10⁰");
        QCOMPARE(logarithmicTickText(2e-12, 1e-12, 1e-12), "2·10⁻¹²");
        QCOMPARE(logarithmicTickText(1e5, 1, 1e5), "10⁵");
        QCOMPARE(linearTickText(0.15, 0, 0.25), "0.15");
        QCOMPARE(linearTickText(0.1 + 0.2, 0, 0.5), "0.3");
        QCOMPARE(linearTickText(-50, -50, 60), "\u221250");
        QCOMPARE(linearTickText(5e-5, 0, 2e-4), "0.00005");
        QCOMPARE(linearTickText(2e-4, 0, 2e-4), "0.0002");
        QCOMPARE(linearTickText(5e-6, 0, 1.5e-5), "5·10⁻⁶");
        QCOMPARE(linearTickText(1.5e-5, 0, 1.5e-5), "1.5·10⁻⁵");
        QCOMPARE(linearTickText(5e6, 0, 1e7), "5·10⁶");
        QCOMPARE(linearTickText(0, -1, 1), "0");
    }

    void whatIsShortIsWrittenOut() {
        QCOMPARE(axisNumber(21570.4), "21570");
        QCOMPARE(axisNumber(-999998.6), "\u2212999999");
        QCOMPARE(axisNumber(1234.56), "1235");
        QCOMPARE(axisNumber(0.17678), "0.1768");
        QCOMPARE(axisNumber(2.5e6), "2500000"); // a whole number
        QCOMPARE(axisNumber(2500000.5), "2.5e+06");
    }
};

HEADSCOPE_WATCHED_TEST(AxisNumbersTest)
#include "axis_numbers_test.moc"

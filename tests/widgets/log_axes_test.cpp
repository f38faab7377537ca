#include <QTest>

#include "tests/watched_main.h"
#include "widgets/log_axes.h"

#include <cmath>

using namespace headscope::widgets;

class LogAxesTest : public QObject {
    Q_OBJECT

    static LogAxes axes(const std::vector<double>& values) {
        return LogAxes(values, QFont(), QRectF(0, 0, 400, 300));
    }

  private Q_SLOTS:
    void powersOfTenAreWrittenShort() {
        QCOMPARE(powerOfTenText(0), "1");
        QCOMPARE(powerOfTenText(4), "10000");
        QCOMPARE(powerOfTenText(-3), "0.001");
        QCOMPARE(powerOfTenText(-12), "10⁻¹²");
        QCOMPARE(powerOfTenText(5), "10⁵");
    }

    void everyTenfoldIsAsFarApart() {
        const LogAxes made = axes({2, 300, 45});
        QVERIFY(std::abs(made.y(1) - made.plot().bottom()) < 1e-9);
        QVERIFY(std::abs(made.y(1000) - made.plot().top()) < 1e-9);
        QVERIFY(std::abs((made.y(1) - made.y(10)) - (made.y(10) - made.y(100))) < 1e-9);
    }

    void whatHasNoLogarithmIsLeftOut() {
        const LogAxes made = axes({0, -5, std::nan(""), INFINITY, 20, 30});
        QVERIFY(std::abs(made.y(10) - made.plot().bottom()) < 1e-9);
        QVERIFY(std::abs(made.y(100) - made.plot().top()) < 1e-9);
        QVERIFY(std::isfinite(axes({}).y(1)));
        QVERIFY(std::isfinite(axes({0}).y(1)));
    }

    void aMarkIsPointedAtWhereItIsDrawn() {
        const LogAxes made = axes(std::vector<double>(64, 1.0));
        for (const int index : {0, 1, 31, 63})
            QCOMPARE(made.indexAt(made.x(index)), index);
        QVERIFY(made.indexAt(made.plot().left() - 10) < 0);
    }
};

HEADSCOPE_WATCHED_MAIN(LogAxesTest)
#include "log_axes_test.moc"

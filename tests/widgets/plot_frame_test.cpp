#include <QTest>

#include "tests/watched_main.h"
#include "widgets/plot_frame.h"

#include <cmath>

using namespace headscope::widgets;

class PlotFrameTest : public QObject {
    Q_OBJECT

    static PlotFrame over(const std::vector<double>& values) {
        const double count = std::max(1.0, static_cast<double>(values.size()));
        return {{.least = -0.5, .most = count - 0.5, .title = "index", .whole = true},
                decadesAround(values, "value"),
                QFont(),
                QRectF(0, 0, 400, 300)};
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
        const PlotFrame made = over({2, 300, 45});
        QVERIFY(std::abs(made.y(1) - made.plot().bottom()) < 1e-9);
        QVERIFY(std::abs(made.y(1000) - made.plot().top()) < 1e-9);
        QVERIFY(std::abs((made.y(1) - made.y(10)) - (made.y(10) - made.y(100))) < 1e-9);
    }

    void whatHasNoLogarithmIsLeftOut() {
        const PlotFrame made = over({0, -5, std::nan(""), INFINITY, 20, 30});
        QVERIFY(std::abs(made.y(10) - made.plot().bottom()) < 1e-9);
        QVERIFY(std::abs(made.y(100) - made.plot().top()) < 1e-9);
        QVERIFY(std::isfinite(over({}).y(1)));
        QVERIFY(std::isfinite(over({0}).y(1)));
    }

    void aMarkIsPointedAtWhereItIsDrawn() {
        const PlotFrame made = over(std::vector<double>(64, 1.0));
        for (const int index : {0, 1, 31, 63})
            QCOMPARE(std::lround(made.valueAt(made.x(index))), index);
        QVERIFY(made.valueAt(made.plot().left() - 10) < -0.5);
    }
};

HEADSCOPE_WATCHED_MAIN(PlotFrameTest)
#include "plot_frame_test.moc"

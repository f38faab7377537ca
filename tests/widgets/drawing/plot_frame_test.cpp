#include <QPainter>
#include <QTest>

#include "tests/gallery/drawn_words.h"
#include "tests/watched_test.h"
#include "widgets/drawing/plot_frame.h"
#include "widgets/drawing/theme.h"

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

    void everyTenfoldIsAsFarApart() {
        const PlotFrame made = over({2, 300, 45});
        QVERIFY(std::abs(made.y(1) - made.plot().bottom()) < 1e-9);
        QVERIFY(std::abs(made.y(1000) - made.plot().top()) < 1e-9);
        QVERIFY(std::abs((made.y(1) - made.y(10)) - (made.y(10) - made.y(100))) < 1e-9);
    }

    void ofManyDecadesPowersOfTenAreNumbered() {
        headscope::gallery::DrawnWords page({400, 300});
        QPainter painter(&page);
        over({1e-9, 1e6}).draw(painter, lightTheme());
        painter.end();
        int powers = 0;
        for (const auto& word : page.words()) {
            powers += word.text.startsWith("10");
            QVERIFY2(!word.text.contains(QChar(0x00B7)), qPrintable(word.text)); // no multiple of a power
        }
        QVERIFY(powers > 2);
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

HEADSCOPE_WATCHED_TEST(PlotFrameTest)
#include "plot_frame_test.moc"

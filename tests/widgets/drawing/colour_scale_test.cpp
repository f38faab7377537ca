#include <QTest>

#include "tests/registered_test.h"
#include "widgets/drawing/colour_scale.h"
#include "widgets/drawing/theme.h"

#include <cmath>
#include <limits>

using namespace headscope::widgets;

class ColourScaleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void lightnessOnlyEverRunsOneWay() {
        for (const bool dark : {false, true}) {
            const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, dark);
            for (int i = 1; i < 256; ++i) {
                const double step =
                    lightness(scale.colourAt(i / 255.0)) - lightness(scale.colourAt((i - 1) / 255.0));
                QVERIFY2(dark ? step > 0 : step < 0, qPrintable(QString::number(i)));
            }
        }
    }

    void equalStepsLookNearlyEqual() {
        for (const bool dark : {false, true}) {
            const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, dark);
            const double whole = lightness(scale.colourAt(1)) - lightness(scale.colourAt(0));
            for (int i = 0; i < 8; ++i) {
                const double part =
                    lightness(scale.colourAt((i + 1) / 8.0)) - lightness(scale.colourAt(i / 8.0));
                QVERIFY(part / whole > 0.08 && part / whole < 0.18);
            }
        }
    }

    void zeroIsTheBackground() {
        for (const Theme& theme : {lightTheme(), darkTheme()}) {
            const auto scale = ColourScale::sequential(0, 1, ColourMapping::Linear, theme.dark);
            QCOMPARE(QColor(scale.colour(0)), theme.background);
            QVERIFY(contrastRatio(QColor(scale.colour(1)), theme.background) > 10);
        }
    }

    void valuesOutsideAreClampedToTheEnds() {
        const auto scale = ColourScale::sequential(0, 2, ColourMapping::Linear, false);
        QCOMPARE(scale.colour(-1), scale.colourAt(0));
        QCOMPARE(scale.colour(3), scale.colourAt(1));
        QCOMPARE(scale.colour(std::numeric_limits<double>::infinity()), scale.colourAt(1));
        QCOMPARE(scale.position(1), 0.5);
    }

    void notANumberHasAColourThatNoValueHas() {
        for (const bool dark : {false, true})
            for (const auto& scale : {ColourScale::sequential(0, 1, ColourMapping::Linear, dark),
                                      ColourScale::diverging(1, dark)}) {
                QCOMPARE(scale.colour(std::nan("")), scale.notANumber());
                for (int i = 0; i <= 255; ++i)
                    QVERIFY(scale.colourAt(i / 255.0) != scale.notANumber());
            }
    }

    void belowItsFloorALogarithmicScaleIsFlat() {
        const auto scale = ColourScale::sequential(0, 1, ColourMapping::Logarithmic, false);
        QCOMPARE(scale.position(0), 0.0);
        QCOMPARE(scale.position(ColourScale::logarithmicFloor), 0.0);
        QCOMPARE(scale.position(0.01), 0.5);
        QCOMPARE(scale.position(1), 1.0);
        QCOMPARE(scale.colour(-1), scale.colour(0));
    }

    void zeroIsNeutralOnADivergingScale() {
        for (const bool dark : {false, true}) {
            const auto scale = ColourScale::diverging(4, dark);
            const QColor neutral(scale.colour(0));
            QVERIFY(neutral.saturationF() < 0.2);
            QCOMPARE(scale.minimum(), -4.0);
            const QColor low(scale.colour(-4));
            const QColor high(scale.colour(4));
            QVERIFY(low.blue() > low.red());
            QVERIFY(high.red() > high.blue());
            for (int i = 1; i <= 127; ++i)
                for (const double sign : {-1.0, 1.0}) {
                    const double near = lightness(scale.colour(sign * 4 * (i - 1) / 127));
                    const double far = lightness(scale.colour(sign * 4 * i / 127));
                    QVERIFY(dark ? far > near : far < near);
                }
        }
    }

    void ticksAreRoundAndWithinTheScale() {
        QCOMPARE(niceTicks(0, 1, 6), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
        QCOMPARE(niceTicks(-5, 5, 3), (std::vector<double>{-5, 0, 5}));
        QVERIFY(niceTicks(1, 1, 5).empty());
        QVERIFY(niceTicks(0, std::nan(""), 5).empty());
        for (const double maximum : {0.003, 0.7, 1.0, 13.0, 98765.0})
            for (int atMost = 2; atMost < 9; ++atMost) {
                const auto ticks = niceTicks(0, maximum, atMost);
                QVERIFY(!ticks.empty() && ticks.size() <= std::size_t(atMost));
                QVERIFY(ticks.back() <= maximum * (1 + 1e-9));
            }
    }

    void aLogarithmicLegendCountsPowersOfTen() {
        const auto ticks = ColourScale::sequential(0, 1, ColourMapping::Logarithmic, false).ticks(6);
        QCOMPARE(ticks.size(), std::size_t(5));
        QCOMPARE(ticks.front().text, "0.0001");
        QCOMPARE(ticks.back().text, "1");
    }

    void aLegendsNumbersHaveOneForm() {
        for (const double maximum : {1.0, 0.3, 0.04, 0.003, 2e-5})
            for (const auto mapping : {ColourMapping::Linear, ColourMapping::Logarithmic}) {
                int powers = 0, plain = 0;
                for (const Tick& tick : ColourScale::sequential(0, maximum, mapping, false).ticks(6)) {
                    QVERIFY2(!tick.text.contains('e'), qPrintable(tick.text));
                    powers += tick.text.contains("10") && !tick.text.contains('.') ? 1 : 0;
                    plain += tick.text.contains('.') && !tick.text.contains("10") ? 1 : 0;
                }
                QVERIFY(powers == 0 || plain == 0);
            }
    }

    /// 1, 2 or 5 times a power of ten.
    void aLegendsStepsAreRound() {
        for (const double limit : {0.07, 0.3, 0.04, 0.0007, 7.9, 33.0})
            for (const int atMost : {2, 3, 6})
                for (const auto& scale : {ColourScale::diverging(limit, false),
                                          ColourScale::sequential(0, limit, ColourMapping::Linear, false)}) {
                    const auto ticks = scale.ticks(atMost);
                    const double step = ticks[1].value - ticks[0].value;
                    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
                    QVERIFY2(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 ||
                                 std::abs(digit - 5) < 1e-6,
                             qPrintable(QString("%1: %2").arg(limit).arg(step)));
                    QVERIFY(ticks.back().value <= limit * (1 + 1e-9));
                }
    }

    void aLowScaleStillSaysHowFarItGoes() {
        for (const double limit : {0.3, 1.0, 4.0, 7.9, 12.5, 33.0}) {
            const auto around = ColourScale::diverging(limit, false).ticks(2);
            QVERIFY(around.size() >= 3);
            QVERIFY(around.front().value < 0 && around.back().value > 0);
            QVERIFY(ColourScale::sequential(0, limit, ColourMapping::Linear, false).ticks(2).size() >= 2);
        }
    }

    void anEmptyRangeStillHasAScale() {
        QCOMPARE(ColourScale::diverging(0, false).maximum(), 1.0);
        QVERIFY(ColourScale::sequential(2, 2, ColourMapping::Linear, false).maximum() > 2);
    }
};

HEADSCOPE_TEST(ColourScaleTest)
#include "colour_scale_test.moc"

#include <QTest>

#include "model/analysis/positions/positional_wavelengths.h"
#include "tests/compared_numbers.h"
#include "tests/model/positional_tables.h"
#include "tests/registered_test.h"

#include <numbers>

using namespace headscope;
using analysis::PairLayout;
using analysis::positionalWavelengths;

class PositionalWavelengthsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void sinusoidsHaveTheirFormulasWavelengths_data() {
        QTest::addColumn<bool>("halves");
        QTest::addRow("interleaved") << false;
        QTest::addRow("halves") << true;
    }

    void sinusoidsHaveTheirFormulasWavelengths() {
        QFETCH(bool, halves);
        const trace::Matrix table = test::sinusoidTable(512, 64, halves);
        const auto measured = positionalWavelengths(trace::view(table));
        QCOMPARE(measured.layout, halves ? PairLayout::Halves : PairLayout::Interleaved);
        QCOMPARE(measured.dimensions.size(), std::size_t(64));
        for (std::size_t dimension = 0; dimension < 64; ++dimension) {
            const std::size_t m = halves ? dimension % 32 : dimension / 2;
            const double wavelength = 2 * std::numbers::pi * std::pow(10000, static_cast<double>(2 * m) / 64);
            const auto& wave = measured.dimensions[dimension];
            QVERIFY(wave);
            // The frequency is the angle between the first and the last position, both rounded, by 511.
            VERIFY_AGREES(tests::compare(
                "wavelength", wave->positions, wavelength,
                tests::ofRoundings(2, wavelength * wavelength / (2 * std::numbers::pi * 511))));
            QCOMPARE(wave->share, 1.0);
        }
    }

    void otherTablesHaveTheirStrongestPeriodAndItsShare() {
        trace::Matrix table(96, 3);
        for (std::size_t pos = 0; pos < 96; ++pos) {
            const double turn = 2 * std::numbers::pi * static_cast<double>(pos);
            // Powers 9/2 and 1/2 over a constant mean.
            table(pos, 0) = static_cast<float>(5 + 3 * std::sin(turn / 24 + 1) + std::cos(turn / 8));
            table(pos, 1) = pos % 2 == 0 ? 2.0f : -2.0f;
            table(pos, 2) = 0.7f;
        }
        const auto measured = positionalWavelengths(trace::view(table));
        QVERIFY(!measured.layout);
        QCOMPARE(measured.dimensions[0]->positions, 24.0);
        // Numbers of up to 9 are rounded: that changes the power 9/2 by at most 2 sqrt(2 9/2) = 6 times as
        // much, and the variance 5 by 2 sqrt(5) times.
        VERIFY_AGREES(tests::compare("share", measured.dimensions[0]->share, 0.9,
                                     tests::ofRoundings(1, 9 * (6 + 0.9 * 2 * std::sqrt(5)) / 5)));
        QCOMPARE(measured.dimensions[1]->positions, 2.0);
        QCOMPARE(measured.dimensions[1]->share, 1.0);
        QVERIFY(!measured.dimensions[2]); // constant
    }

    void noiseHasNoStrongPeriod() {
        const trace::Matrix table = test::randomTable(256, 8);
        for (const auto& wave : tests::some(positionalWavelengths(trace::view(table)).dimensions))
            QVERIFY(wave && wave->share < 0.2);
    }

    void onePositionHasNone() {
        const trace::Matrix table(1, 4, 1.0f);
        const auto measured = positionalWavelengths(trace::view(table));
        QCOMPARE(measured.dimensions.size(), std::size_t(4));
        QVERIFY(!measured.dimensions.front());
        QVERIFY(positionalWavelengths(trace::MatrixView()).dimensions.empty());
    }
};

HEADSCOPE_TEST(PositionalWavelengthsTest)
#include "positional_wavelengths_test.moc"

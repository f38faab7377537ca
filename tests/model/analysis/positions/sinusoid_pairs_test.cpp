#include <QTest>

#include "model/analysis/positions/sinusoid_pairs.h"
#include "tests/compared_numbers.h"
#include "tests/model/positional_tables.h"
#include "tests/registered_test.h"

using namespace headscope;
using analysis::findSinusoids;
using analysis::PairLayout;

class SinusoidPairsTest : public QObject {
    Q_OBJECT

    /// A frequency is the angle between the first and the last position, both rounded, by their distance.
    static tests::Limit ofFrequency(double positions) { return tests::ofRoundings(2, 1 / (positions - 1)); }

    static trace::BasicMatrix<double> multiplied(const trace::BasicMatrix<double>& one,
                                                 const trace::BasicMatrix<double>& other) {
        trace::BasicMatrix<double> product(one.rows(), other.columns());
        for (std::size_t row = 0; row < one.rows(); ++row)
            for (std::size_t column = 0; column < other.columns(); ++column)
                for (std::size_t i = 0; i < one.columns(); ++i)
                    product(row, column) += one(row, i) * other(i, column);
        return product;
    }

  private Q_SLOTS:
    void bothLayoutsAreFoundWithTheirFrequencies_data() {
        QTest::addColumn<bool>("halves");
        QTest::addRow("interleaved") << false;
        QTest::addRow("halves") << true;
    }

    void bothLayoutsAreFoundWithTheirFrequencies() {
        QFETCH(bool, halves);
        const trace::Matrix table = test::sinusoidTable(200, 16, halves);
        const auto found = findSinusoids(trace::view(table));
        QVERIFY(found);
        QCOMPARE(found->layout, halves ? PairLayout::Halves : PairLayout::Interleaved);
        QCOMPARE(found->pairs.size(), std::size_t(8));
        for (std::size_t m = 0; m < 8; ++m) {
            QCOMPARE(found->pairs[m].sine, halves ? m : 2 * m);
            QCOMPARE(found->pairs[m].cosine, halves ? m + 8 : 2 * m + 1);
            const double frequency = std::pow(10000, -static_cast<double>(m) / 8);
            VERIFY_AGREES(
                tests::compare("frequency", found->pairs[m].frequency, frequency, ofFrequency(200)));
            QCOMPARE(found->pairs[m].amplitude, 1.0);
        }
    }

    void aCosineThatStandsFirstIsFoundOut() {
        trace::Matrix table(50, 2);
        for (std::size_t pos = 0; pos < 50; ++pos) {
            table(pos, 0) = static_cast<float>(3 * std::cos(0.25 * static_cast<double>(pos)));
            table(pos, 1) = static_cast<float>(3 * std::sin(0.25 * static_cast<double>(pos)));
        }
        const auto found = findSinusoids(trace::view(table));
        QVERIFY(found);
        QCOMPARE(found->pairs.front().sine, std::size_t(1));
        VERIFY_AGREES(tests::compare("frequency", found->pairs.front().frequency, 0.25, ofFrequency(50)));
        QCOMPARE(found->pairs.front().amplitude, 3.0);
    }

    void whatOnlyLooksLikeSinusoidsIsNot() {
        trace::Matrix disturbed = test::sinusoidTable(100, 16);
        disturbed(57, 3) += 0.05f;
        for (const trace::Matrix& table :
             {test::randomTable(100, 16), test::mixedTable(100, 16), trace::Matrix(100, 16, 1.0f),
              trace::Matrix(100, 16), test::sinusoidTable(100, 15), test::sinusoidTable(3, 16), disturbed,
              trace::Matrix()})
            QVERIFY(!findSinusoids(trace::view(table)));
    }

    void shiftsAddUpAndComeBack() {
        const trace::Matrix table = test::sinusoidTable(100, 16, true);
        const auto found = findSinusoids(trace::view(table));
        QVERIFY(found);
        const auto shift = [&](int offset) { return analysis::shiftMatrix(*found, offset); };
        // Angles of at most 11, their sines and cosines, and two products.
        const auto limit = tests::ofRoundings(3, 11, tests::float64) + tests::ofSum(2 + 4, 2, tests::float64);
        VERIFY_AGREES(
            tests::compare("11 on", multiplied(shift(3), shift(8)).values(), shift(11).values(), limit));
        VERIFY_AGREES(
            tests::compare("back", multiplied(shift(5), shift(-5)).values(), shift(0).values(), limit));
        for (std::size_t i = 0; i < 16; ++i)
            QCOMPARE(shift(0)(i, i), 1.0);
    }

    void aShiftedRowIsTheRowThatManyPositionsOn() {
        const trace::Matrix table = test::sinusoidTable(100, 16);
        const auto shift = analysis::shiftMatrix(*findSinusoids(trace::view(table)), 7);
        for (std::size_t pos = 0; pos + 7 < 100; ++pos)
            for (std::size_t out = 0; out < 16; ++out) {
                double foreseen = 0;
                for (std::size_t in = 0; in < 16; ++in)
                    foreseen += shift(out, in) * table(pos, in);
                // Both rows are rounded, and the frequency is measured.
                VERIFY_AGREES(tests::compare("row", foreseen, table(pos + 7, out),
                                             tests::ofRoundings(2, 1) + 7 * ofFrequency(100)));
            }
    }
};

HEADSCOPE_TEST(SinusoidPairsTest)
#include "sinusoid_pairs_test.moc"

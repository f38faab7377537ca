#include <QTest>

#include "model/analysis/positions/positional_shift.h"
#include "tests/compared_numbers.h"
#include "tests/model/positional_tables.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using analysis::PositionalShift;
using analysis::positionalShift;
using Map = PositionalShift::Map;

class PositionalShiftTest : public QObject {
    Q_OBJECT

    /// Mean squared distance from their mean of the positions from `first` on.
    static double spreadOf(const trace::Matrix& table, int first) {
        const auto from = static_cast<std::size_t>(first);
        const double count = static_cast<double>(table.rows() - from);
        double spread = 0;
        for (std::size_t column = 0; column < table.columns(); ++column) {
            double sum = 0, squares = 0;
            for (std::size_t row = from; row < table.rows(); ++row) {
                sum += table(row, column);
                squares += std::pow(table(row, column), 2);
            }
            spread += squares / count - std::pow(sum / count, 2);
        }
        return spread;
    }

    struct Missed {
        double share = 0; ///< |M PE(pos) - PE(pos + k)| / |PE(pos + k)| with the drawn matrix
        double sizes = 0; ///< the same of |M| |PE(pos)|
    };
    static Missed missedBy(const PositionalShift& shift, const trace::Matrix& table, std::size_t pos) {
        double missed = 0;
        double length = 0;
        double sizes = 0;
        for (std::size_t row = 0; row < table.columns(); ++row) {
            double foreseen = 0, size = 0;
            for (std::size_t column = 0; column < table.columns(); ++column) {
                foreseen += double(shift.matrix(row, column)) * table(pos, column);
                size += std::abs(double(shift.matrix(row, column)) * table(pos, column));
            }
            sizes += size * size;
            const double there = table(pos + static_cast<std::size_t>(shift.offset), row);
            missed += (foreseen - there) * (foreseen - there);
            length += there * there;
        }
        return {std::sqrt(missed / length), std::sqrt(sizes / length)};
    }

  private Q_SLOTS:
    void sinusoidsAreTurnedExactly() {
        for (const bool halves : {false, true}) {
            const trace::Matrix table = test::sinusoidTable(512, 64, halves);
            for (const int offset : {1, 7, 300}) {
                const PositionalShift shift = positionalShift(trace::view(table), offset);
                QCOMPARE(shift.map, Map::Rotation);
                QCOMPARE(shift.fitted, std::size_t(0));
                QCOMPARE(shift.heldOut, std::size_t(512 - offset));
                QCOMPARE(shift.error.size(), shift.heldOut);
                // Sine and cosine are rounded where they are and where they will be. The frequency is the
                // angle between the first and the last position by their distance, and off by as much of it.
                const auto limit = tests::ofRoundings(2, 1) + tests::ofRoundings(2, offset / 511.0);
                VERIFY_AGREES(
                    tests::compare("errors", shift.error, std::vector<double>(shift.heldOut), limit));
                // Of lengths of 32: how far they are from their mean.
                const double missed = limit.distance * limit.distance * 32 / spreadOf(table, offset);
                QVERIFY(shift.rSquared);
                VERIFY_AGREES(tests::compare("R squared", *shift.rSquared, 1,
                                             tests::Limit{missed, "the errors' squares by the spread"} +
                                                 tests::ofSum(shift.heldOut, missed, tests::float64)));
            }
        }
    }

    void theMatrixIsTheMapWhoseErrorsAreDrawn() {
        const trace::Matrix sinusoids = test::sinusoidTable(512, 64, true);
        const trace::Matrix mixed = test::mixedTable(512, 32);
        const trace::Matrix random = test::randomTable(512, 32);
        for (const auto* table : {&sinusoids, &mixed, &random})
            for (const int offset : {1, 5}) {
                const auto shift = positionalShift(trace::view(*table), offset);
                QCOMPARE(shift.matrix.rows(), table->columns());
                for (const std::size_t pos : {0, 7, 200, 301}) {
                    const auto missed = missedBy(shift, *table, pos);
                    // The drawn matrix is rounded.
                    VERIFY_AGREES(tests::compare("error", missed.share, shift.error[pos],
                                                 tests::ofRoundings(1, missed.sizes)));
                }
            }
    }

    /// Measured in 32 of 256 dimensions; everything outside them is 0.
    void theMatrixOfLeadingDirectionsLooksAtNothingElse() {
        const trace::Matrix table = test::randomTable(200, 256);
        const auto shift = positionalShift(trace::view(table), 1);
        QCOMPARE(shift.map, Map::Directions);
        QCOMPARE(shift.matrix.rows(), std::size_t(256));
        QCOMPARE(shift.matrix.columns(), std::size_t(256));
        for (const std::size_t pos : {0, 51}) {
            const double missed = missedBy(shift, table, pos).share;
            QVERIFY(missed > 0 && missed <= 1.5);
        }
    }

    void sinusoidsAreFittedToo() {
        const trace::Matrix table = test::sinusoidTable(512, 64);
        const auto shift = analysis::fittedShift(trace::view(table), 3);
        QCOMPARE(shift.map, Map::Dimensions);
        QCOMPARE(shift.fitted, std::size_t(255));
        QCOMPARE(shift.heldOut, std::size_t(254));
        QVERIFY2(shift.rSquared && *shift.rSquared > 0.999, qPrintable(QString::number(*shift.rSquared)));
        QCOMPARE(analysis::fittedShift(trace::view(test::mixedTable(512, 32)), 5).error,
                 positionalShift(trace::view(test::mixedTable(512, 32)), 5).error);
    }

    void aLinearShiftIsFittedWhereNoTwoDimensionsAreAPair() {
        const trace::Matrix table = test::mixedTable(512, 32);
        const PositionalShift shift = positionalShift(trace::view(table), 5);
        QCOMPARE(shift.map, Map::Dimensions);
        QCOMPARE(shift.dimensions, std::size_t(32));
        QCOMPARE(shift.fitted, std::size_t(254));
        QCOMPARE(shift.heldOut, std::size_t(253));
        QVERIFY(shift.rSquared && *shift.rSquared > 0.9999);
    }

    void randomPositionsAreNotForeseen() {
        const trace::Matrix few = test::randomTable(512, 32);
        const PositionalShift direct = positionalShift(trace::view(few), 1);
        QCOMPARE(direct.map, Map::Dimensions);
        QVERIFY2(direct.rSquared && *direct.rSquared < 0.05, qPrintable(QString::number(*direct.rSquared)));
        const trace::Matrix many = test::randomTable(200, 256);
        const PositionalShift reduced = positionalShift(trace::view(many), 1);
        QCOMPARE(reduced.map, Map::Directions);
        QCOMPARE(reduced.dimensions, std::size_t(32));
        QVERIFY(reduced.variance > 0.1 && reduced.variance < 0.9);
        QVERIFY2(reduced.rSquared && *reduced.rSquared < 0.05,
                 qPrintable(QString::number(*reduced.rSquared)));
    }

    void thereAreNeverFewerThanTwicePairsForEachUnknown() {
        for (const int positions : {9, 10, 20, 40, 100, 300, 512})
            for (const int width : {2, 8, 64, 200}) {
                const trace::Matrix table = test::randomTable(std::size_t(positions), std::size_t(width));
                const PositionalShift shift = positionalShift(trace::view(table), 1);
                QVERIFY(shift.map != Map::None);
                QVERIFY(shift.fitted >= 2 * shift.dimensions);
            }
    }

    void tooFewPairsAreNotFitted() {
        const trace::Matrix table = test::randomTable(20, 8);
        const PositionalShift shift = positionalShift(trace::view(table), 14);
        QCOMPARE(shift.map, Map::None);
        QCOMPARE(shift.fitted + shift.heldOut, std::size_t(6));
        QVERIFY(!shift.rSquared);
        QVERIFY(shift.matrix.empty());
        QCOMPARE(positionalShift(trace::view(table), 20).heldOut, std::size_t(0));
        QCOMPARE(positionalShift(trace::view(table), 2000).map, Map::None);
        QCOMPARE(positionalShift(trace::MatrixView(), 1).map, Map::None);
    }

    void positionsThatDoNotDifferHaveNoRSquared() {
        const trace::Matrix table(40, 4, 1.0f);
        const PositionalShift shift = positionalShift(trace::view(table), 1);
        QVERIFY(!shift.rSquared);
        // Householder reflections of twenty rows and four columns (Higham 2002, 20.3).
        VERIFY_AGREES(tests::compare("errors", shift.error, std::vector<double>(shift.error.size()),
                                     tests::ofSum(8 * 20 * 4, 1, tests::float64)));
    }

    void noMorePositionsAreLookedAtThanSaid() {
        const trace::Matrix table = test::sinusoidTable(900, 8);
        QCOMPARE(positionalShift(trace::view(table), 12).error.size(), std::size_t(500));
    }
};

HEADSCOPE_TEST(PositionalShiftTest)
#include "positional_shift_test.moc"

#include <QTest>

#include "model/analysis/positional_shift.h"
#include "tests/model/positional_tables.h"

using namespace headscope;
using analysis::PositionalShift;
using analysis::positionalShift;
using Map = PositionalShift::Map;

class PositionalShiftTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void sinusoidsAreTurnedExactly() {
        for (const bool halves : {false, true}) {
            const trace::Matrix table = test::sinusoidTable(512, 64, halves);
            for (const int offset : {1, 7, 300}) {
                const PositionalShift shift = positionalShift(trace::view(table), offset);
                QCOMPARE(shift.map, Map::Rotation);
                QCOMPARE(shift.fitted, std::size_t(0));
                QCOMPARE(shift.heldOut, std::size_t(512 - offset));
                QVERIFY(shift.rSquared && std::abs(*shift.rSquared - 1) < 1e-8);
                QCOMPARE(shift.error.size(), shift.heldOut);
                QVERIFY(std::ranges::all_of(shift.error, [](double error) { return error < 1e-4; }));
            }
        }
    }

    void aLinearShiftIsFittedWhereNoTwoDimensionsAreAPair() {
        const trace::Matrix table = test::mixedTable(512, 32);
        const PositionalShift shift = positionalShift(trace::view(table), 5);
        QCOMPARE(shift.map, Map::Dimensions);
        QCOMPARE(shift.dimensions, std::size_t(32));
        QCOMPARE(shift.fitted, std::size_t(254));
        QCOMPARE(shift.heldOut, std::size_t(253));
        QVERIFY(shift.rSquared && std::abs(*shift.rSquared - 1) < 1e-4);
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
        QCOMPARE(positionalShift(trace::view(table), 20).heldOut, std::size_t(0));
        QCOMPARE(positionalShift(trace::view(table), 2000).map, Map::None);
        QCOMPARE(positionalShift(trace::MatrixView(), 1).map, Map::None);
    }

    void positionsThatDoNotDifferHaveNoRSquared() {
        const trace::Matrix table(40, 4, 1.0f);
        const PositionalShift shift = positionalShift(trace::view(table), 1);
        QVERIFY(!shift.rSquared);
        QVERIFY(std::ranges::all_of(shift.error, [](double error) { return error < 1e-9; }));
    }

    void noMorePositionsAreLookedAtThanSaid() {
        const trace::Matrix table = test::sinusoidTable(900, 8);
        QCOMPARE(positionalShift(trace::view(table), 12).error.size(), std::size_t(500));
    }
};

QTEST_APPLESS_MAIN(PositionalShiftTest)
#include "positional_shift_test.moc"

#include <QTest>

#include "model/analysis/positions/position_origin.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <random>

using namespace headscope;
using namespace headscope::analysis;

namespace {

/// Sines and cosines of position / base^(2m / width), interleaved or in halves.
trace::Matrix sinusoids(std::size_t positions, std::size_t width, double base, bool halves = false) {
    trace::Matrix table(positions, width);
    for (std::size_t position = 0; position < positions; ++position)
        for (std::size_t pair = 0; pair < width / 2; ++pair) {
            const double angle = static_cast<double>(position) *
                                 std::pow(base, -2 * static_cast<double>(pair) / static_cast<double>(width));
            table(position, halves ? pair : 2 * pair) = static_cast<float>(std::sin(angle));
            table(position, halves ? pair + width / 2 : 2 * pair + 1) = static_cast<float>(std::cos(angle));
        }
    return table;
}

trace::Matrix noise(std::size_t positions, std::size_t width, std::size_t from, float factor) {
    trace::Matrix table(positions, width);
    std::mt19937 random(3);
    for (std::size_t position = 0; position < positions; ++position)
        for (std::size_t i = 0; i < width; ++i)
            table(position, i) =
                (static_cast<float>(random()) / 0x80000000p0f - 1) * (position < from ? 1 : factor);
    return table;
}

} // namespace

class PositionOriginTest : public QObject {
    Q_OBJECT

    using Kind = PositionOrigin::Kind;

  private Q_SLOTS:
    void theFormulasBaseIsMeasured() {
        for (const double base : {10000.0, 1000.0, 123.0})
            for (const bool halves : {false, true}) {
                const auto table = sinusoids(700, 32, base, halves);
                const auto origin = positionOrigin(trace::view(table));
                QVERIFY(origin.kind == Kind::Formula);
                QCOMPARE(origin.base, base);
                // The table is rounded; angles of up to 700 are computed in float64.
                VERIFY_AGREES(
                    tests::compare("difference", origin.difference, 0,
                                   tests::ofRoundings(1, 1) + tests::ofRoundings(4, 700, tests::float64)));
            }
    }

    void otherWavelengthsAreNotTheFormulas() {
        auto table = sinusoids(100, 16, 10000);
        for (std::size_t position = 0; position < 100; ++position) {
            table(position, 4) = static_cast<float>(std::sin(0.9 * static_cast<double>(position)));
            table(position, 5) = static_cast<float>(std::cos(0.9 * static_cast<double>(position)));
        }
        QVERIFY(positionOrigin(trace::view(table)).kind == Kind::Sinusoids);
    }

    void whatDoesNotTurnWasLearned() {
        const auto table = noise(60, 8, 60, 1);
        QVERIFY(positionOrigin(trace::view(table)).kind == Kind::Learned);
        QVERIFY(positionOrigin({}).kind == Kind::Learned);
    }

    void aJumpInLengthIsFoundWhereItIs() {
        const auto table = noise(80, 16, 50, 0.1f);
        const auto jump = lengthJump(trace::view(table));
        QVERIFY(jump);
        QCOMPARE(jump->row, std::size_t{50});
        QVERIFY(jump->after < 0.2 * jump->before);
    }

    void evenLengthsHaveNoJump() {
        const auto table = sinusoids(100, 16, 10000);
        QVERIFY(!lengthJump(trace::view(table)));
        const auto one = noise(1, 4, 1, 1);
        QVERIFY(!lengthJump(trace::view(one)));
    }
};

HEADSCOPE_TEST(PositionOriginTest)
#include "position_origin_test.moc"

#include "model/network/positional_encoding.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

#include <QTest>

#include <cmath>

using namespace headscope::network;

namespace {

at::Tensor table(PositionScheme scheme, int width = 16, double base = 10000) {
    return sinusoidTable(
        {.modelWidth = width, .positions = scheme, .positionBase = base, .maximumPositions = 60});
}

} // namespace

class PositionalEncodingTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void valuesAreThoseOfTheFormula() {
        for (const double base : {10000., 1000.}) {
            const auto pe = table(PositionScheme::SinusoidInterleaved, 16, base);
            for (const int position : {0, 1, 7, 59})
                for (int pair = 0; pair < 8; ++pair) {
                    const double angle = position / std::pow(base, 2 * pair / 16.);
                    QVERIFY(std::abs(pe[position][2 * pair].item<double>() - std::sin(angle)) < 1e-5);
                    QVERIFY(std::abs(pe[position][2 * pair + 1].item<double>() - std::cos(angle)) < 1e-5);
                }
        }
    }

    void everyVectorIsAsLong() {
        for (const auto scheme : {PositionScheme::SinusoidInterleaved, PositionScheme::SinusoidHalves}) {
            const auto lengths = table(scheme).square().sum(1);
            QVERIFY((lengths - 16 / 2).abs().max().item<double>() < 1e-5);
        }
    }

    void theProductOfTwoDependsOnlyOnTheirDistance() {
        for (const auto scheme : {PositionScheme::SinusoidInterleaved, PositionScheme::SinusoidHalves}) {
            const auto pe = table(scheme);
            const auto products = at::matmul(pe, pe.t()); // [60, 60]
            for (int distance = 0; distance < 50; distance += 7) {
                const auto diagonal = products.diagonal(distance);
                QVERIFY((diagonal - diagonal[0]).abs().max().item<double>() < 1e-4);
            }
        }
    }

    void halvesAreTheSameNumbersInAnotherOrder() {
        const auto interleaved = table(PositionScheme::SinusoidInterleaved);
        const auto halves = table(PositionScheme::SinusoidHalves);
        QVERIFY(at::equal(halves.narrow(1, 0, 8), interleaved.slice(1, 0, 16, 2)));
        QVERIFY(at::equal(halves.narrow(1, 8, 8), interleaved.slice(1, 1, 16, 2)));
    }

    void inclusiveHalvesReachTheBase() {
        const auto pe = table(PositionScheme::SinusoidHalvesInclusive);
        for (int pair = 0; pair < 8; ++pair) {
            const double angle = 3 / std::pow(10000, pair / 7.);
            QVERIFY(std::abs(pe[3][pair].item<double>() - std::sin(angle)) < 1e-6);
            QVERIFY(std::abs(pe[3][8 + pair].item<double>() - std::cos(angle)) < 1e-6);
        }
        const auto odd = table(PositionScheme::SinusoidHalvesInclusive, 7);
        QCOMPARE(odd.select(1, 6).abs().sum().item<double>(), 0.0);
    }

    void anOddWidthHasOneSineMore() {
        for (const auto scheme : {PositionScheme::SinusoidInterleaved, PositionScheme::SinusoidHalves}) {
            const auto pe = table(scheme, 7);
            QCOMPARE(pe.size(1), std::int64_t{7});
            QVERIFY(std::abs(pe[0].sum().item<double>() - 3) < 1e-6); // position 0: sines 0, cosines 1
        }
    }
};

HEADSCOPE_TEST(PositionalEncodingTest)
#include "positional_encoding_test.moc"

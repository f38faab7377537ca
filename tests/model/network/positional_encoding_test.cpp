#include "model/network/positional_encoding.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/registered_test.h"

#include <ATen/ATen.h>

#include <QTest>

#include <cmath>

using namespace headscope::network;
namespace tests = headscope::tests;

namespace {

at::Tensor table(PositionScheme scheme, int width = 16, double base = 10000) {
    return sinusoidTable({.positions = scheme, .positionBase = base, .maximumPositions = 60}, width);
}

/// Of the sine of an angle that is position exp(-exponent): a product with a rounded factor makes the
/// exponent, which is rounded; an exponential, a sine and a cosine are off by one unit in the last place.
tests::Limit ofAngle(double angle, double exponent) {
    return tests::ofRoundings(2, exponent * angle) + tests::ofRoundings(3, angle) + tests::ofRoundings(2, 1);
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
                    const double exponent = std::log(base) * 2 * pair / 16;
                    const double angle = position * std::exp(-exponent);
                    const auto limit = ofAngle(angle, exponent);
                    VERIFY_AGREES(tests::compare("sine", pe[position][2 * pair].item<double>(),
                                                 std::sin(angle), limit));
                    VERIFY_AGREES(tests::compare("cosine", pe[position][2 * pair + 1].item<double>(),
                                                 std::cos(angle), limit));
                }
        }
    }

    void everyVectorIsAsLong() {
        for (const auto scheme : {PositionScheme::SinusoidInterleaved, PositionScheme::SinusoidHalves}) {
            const auto lengths = table(scheme).square().sum(1);
            // The squares of a sine and a cosine of one angle, each off by one unit in the last place.
            VERIFY_AGREES(tests::compare("squared lengths", lengths, at::full({60}, 16 / 2),
                                         tests::ofRoundings(4, 16 / 2) + tests::ofSum(16, 16 / 2)));
        }
    }

    void theProductOfTwoDependsOnlyOnTheirDistance() {
        for (const auto scheme : {PositionScheme::SinusoidInterleaved, PositionScheme::SinusoidHalves}) {
            const auto pe = table(scheme);
            const auto products = at::matmul(pe, pe.t()); // [60, 60]
            double frequencies = 0;
            for (int pair = 0; pair < 8; ++pair)
                frequencies += std::pow(10000, -2 * pair / 16.);
            for (int distance = 0; distance < 50; distance += 7) {
                const auto diagonal = products.diagonal(distance);
                // Angles are rounded, those of all pairs together are up to 59 times the frequencies; sines
                // and cosines as above.
                const auto one = tests::ofRoundings(2, 59 * frequencies) + tests::ofRoundings(4, 16 / 2) +
                                 tests::ofSum(16, 16 / 2);
                VERIFY_AGREES(tests::compare("products at distance " + std::to_string(distance), diagonal,
                                             diagonal[0].expand_as(diagonal), 2.0 * one));
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
            const double exponent = std::log(10000) * pair / 7;
            const double angle = 3 * std::exp(-exponent);
            const auto limit = ofAngle(angle, exponent);
            VERIFY_AGREES(tests::compare("sine", pe[3][pair].item<double>(), std::sin(angle), limit));
            VERIFY_AGREES(tests::compare("cosine", pe[3][8 + pair].item<double>(), std::cos(angle), limit));
        }
        const auto odd = table(PositionScheme::SinusoidHalvesInclusive, 7);
        QCOMPARE(odd.select(1, 6).abs().sum().item<double>(), 0.0);
    }

    void anOddWidthHasOneSineMore() {
        for (const auto scheme : {PositionScheme::SinusoidInterleaved, PositionScheme::SinusoidHalves}) {
            const auto pe = table(scheme, 7);
            QCOMPARE(pe.size(1), std::int64_t{7});
            QCOMPARE(pe[0].sum().item<double>(), 3.0); // position 0: sines 0, cosines 1
        }
    }
};

HEADSCOPE_TEST(PositionalEncodingTest)
#include "positional_encoding_test.moc"

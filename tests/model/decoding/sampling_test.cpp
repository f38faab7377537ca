#include <QTest>

#include "model/decoding/sampling.h"
#include "model/decoding/token_rules.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <cmath>
#include <map>

using namespace headscope;
using decoding::sampleToken;

namespace {

const std::vector<double> values{std::log(0.5), std::log(0.25), std::log(0.15), std::log(0.1),
                                 decoding::impossible};

constexpr std::size_t draws = 20'000;

tests::Comparison compareShare(double found, double probability) {
    return tests::compare("share of the draws", found, probability,
                          tests::ofDraws(draws, std::sqrt(probability * (1 - probability))));
}

/// Frequencies of the tokens in many draws.
std::map<std::int64_t, double> shares(const trace::Decoding& decoding) {
    std::map<std::int64_t, double> shares;
    for (std::size_t position = 0; position < draws; ++position)
        shares[*sampleToken(values, decoding, position)] += 1.0 / draws;
    return shares;
}

} // namespace

class SamplingTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void tokensComeAsOftenAsTheyAreProbable() {
        const auto drawn = shares({.sample = true});
        QCOMPARE(drawn.size(), 4U);
        for (const auto& [token, share] : drawn)
            VERIFY_AGREES(compareShare(share, std::exp(values[static_cast<std::size_t>(token)])));
    }

    void neighbouringSeedsAreNotTheSameDrawsShifted() {
        int equal = 0;
        for (std::size_t position = 0; position < 1000; ++position)
            equal +=
                sampleToken(values, {.seed = 1}, position) == sampleToken(values, {.seed = 0}, position + 1);
        QVERIFY(equal < 500); // 0.345 of the draws agree by chance
    }

    void topKLeavesTheMostProbable() {
        QCOMPARE(shares({.topK = 2}).size(), 2U);
        QCOMPARE(shares({.topK = 1}).begin()->first, 0);
    }

    void topPLeavesTheFewestThatReachIt() {
        QCOMPARE(shares({.topP = 0.5}).size(), 1U);
        QCOMPARE(shares({.topP = 0.51}).size(), 2U);
        QCOMPARE(shares({.topP = 0.9}).size(), 3U);
    }

    void aLowTemperatureTakesTheBest() {
        QCOMPARE(shares({.temperature = 0.01}).size(), 1U);
        const auto hot = shares({.temperature = 100});
        double sum = 0;
        for (const double value : values)
            sum += std::exp(value / 100);
        for (const auto& [token, share] : hot)
            VERIFY_AGREES(compareShare(share, std::exp(values[static_cast<std::size_t>(token)] / 100) / sum));
    }

    void nothingIsDrawnWhereNothingIsPossible() {
        QCOMPARE(sampleToken(std::vector<double>(3, decoding::impossible), {}, 0), std::nullopt);
    }
};

HEADSCOPE_TEST(SamplingTest)
#include "sampling_test.moc"

#include <QTest>

#include "model/analysis/heads/statistics_of_heads.h"
#include "tests/compared_numbers.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"

#include <cmath>
#include <numbers>
#include <numeric>

using namespace headscope;
using namespace headscope::hand_made;
using analysis::HeadStatistics;
using analysis::Statistic;
using trace::AttentionKind;
using trace::TokenRole;

namespace {

constexpr auto cross = AttentionKind::Cross;

/// Weights are rounded to float32, and a statistic is a sum of them times numbers of at most `size`; it is
/// computed in float64.
tests::Comparison compare(const std::optional<double>& found, double wanted, double size = 1) {
    return tests::compare("statistic", found.value_or(std::nan("")), wanted,
                          tests::ofRoundings(1, size) + tests::ofSum(8 * 8 + 4, size, tests::float64));
}

/// The derivative of an entropy with respect to a weight is log2 e more than the weight's logarithm.
double sizeOfEntropy(double bits) {
    return bits + 1 / std::numbers::ln2;
}
/// Effective keys are 2 to the power of the entropy.
double sizeOfKeys(double keys) {
    return keys * std::numbers::ln2 * sizeOfEntropy(std::log2(keys));
}

HeadStatistics statisticsOf(const trace::AttentionRecord& record, const std::vector<trace::Token>& tokens) {
    return analysis::headStatistics(record, 0, tokens, tokens);
}

} // namespace

class StatisticsOfHeadsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void uniformRowsHaveFullEntropyAndAllKeys() {
        const auto found = statisticsOf(map(encoder, 8, 8, evenly), words(8));
        VERIFY_AGREES(compare(found.values[Statistic::Entropy], 3, sizeOfEntropy(3)));
        VERIFY_AGREES(compare(found.values[Statistic::NormalisedEntropy], 1, sizeOfEntropy(1)));
        VERIFY_AGREES(compare(found.values[Statistic::EffectiveKeys], 8, sizeOfKeys(8)));
    }

    void oneHotRowsHaveNoEntropyAndOneKey() {
        const auto found = statisticsOf(map(encoder, 8, 8, diagonal), words(8));
        VERIFY_AGREES(compare(found.values[Statistic::Entropy], 0));
        VERIFY_AGREES(compare(found.values[Statistic::NormalisedEntropy], 0));
        VERIFY_AGREES(compare(found.values[Statistic::EffectiveKeys], 1));
        VERIFY_AGREES(compare(found.values[Statistic::Diagonal], 1));
        VERIFY_AGREES(compare(found.values[Statistic::Distance], 0));
        VERIFY_AGREES(compare(found.values[Statistic::Confidence], 1));
    }

    void causalRowsAreHeldAgainstTheirOwnAllowedKeys() {
        const auto found = statisticsOf(map(decoder, 8, 8, evenly), words(8));
        VERIFY_AGREES(compare(found.values[Statistic::NormalisedEntropy], 1, sizeOfEntropy(1)));
        // Row 0 does not count.
        VERIFY_AGREES(compare(found.values[Statistic::EffectiveKeys], (2 + 3 + 4 + 5 + 6 + 7 + 8) / 7.0,
                              sizeOfKeys(8)));
        QCOMPARE(found.rows, std::size_t(8));
    }

    void aShiftedIdentityLooksAtTheOneBefore() {
        const auto found = statisticsOf(map(decoder, 8, 8, shifted), words(8));
        VERIFY_AGREES(compare(found.values[Statistic::Previous], 1));
        VERIFY_AGREES(
            compare(found.values[Statistic::Distance], 7 / 8.0)); // the first row can only attend to itself
        VERIFY_AGREES(compare(found.values[Statistic::Offset], -7 / 8.0));
        VERIFY_AGREES(compare(found.values[Statistic::Diagonal], 1 / 8.0));
        QVERIFY(!found.values[Statistic::Next]); // masked in a decoder
        QCOMPARE(found.offsets.best()->offset, -1);
        VERIFY_AGREES(compare(found.offsets.best()->share, 1));
        QVERIFY(!found.values[Statistic::Last]);
    }

    void theOffsetTellsBeforeFromAfter() {
        const auto next = [](std::size_t query, std::size_t key) {
            return key == (query + 1) % 8 ? 1.0 : 0.0;
        };
        const auto found = statisticsOf(map(encoder, 8, 8, next), words(8));
        VERIFY_AGREES(compare(found.values[Statistic::Next], 1));
        // Seven times 1; the last row attends 7 back.
        VERIFY_AGREES(compare(found.values[Statistic::Distance], 14 / 8.0, 7));
        VERIFY_AGREES(compare(found.values[Statistic::Offset], 0));
    }

    void entropyDoesNotChangeWhenKeysChangePlaces() {
        const auto some = [](std::size_t query, std::size_t key) {
            return 1.0 + double((query * 5 + key * 3) % 7);
        };
        const auto turned = [&](std::size_t query, std::size_t key) {
            return some(query, (key * 3 + 2) % 8);
        };
        const auto one = statisticsOf(map(encoder, 8, 8, some), words(8));
        const auto other = statisticsOf(map(encoder, 8, 8, turned), words(8));
        for (const auto statistic :
             {Statistic::Entropy, Statistic::NormalisedEntropy, Statistic::EffectiveKeys})
            VERIFY_AGREES(compare(one.values[statistic], *other.values[statistic], 2 * sizeOfKeys(8)));
    }

    void sharesAreThoseOfTheKeysOfTheirKind() {
        auto tokens = sentence(6);
        tokens[0].role = TokenRole::Start;
        tokens[4].piece = "▁.";
        const auto found = statisticsOf(map(encoder, 6, 6, evenly), tokens);
        for (const auto statistic :
             {Statistic::First, Statistic::Last, Statistic::Start, Statistic::End, Statistic::Punctuation})
            VERIFY_AGREES(compare(found.values[statistic], 1 / 6.0));
        const auto without = statisticsOf(map(encoder, 6, 6, evenly), words(6));
        QVERIFY(!without.values[Statistic::Start] && !without.values[Statistic::End] &&
                !without.values[Statistic::Punctuation]);
    }

    void whatKeysReceiveSumsToOneAndTellsSinks() {
        const auto found = statisticsOf(map(encoder, 6, 6, column(2)), words(6));
        VERIFY_AGREES(compare(std::accumulate(found.received.begin(), found.received.end(), 0.0), 1));
        QVERIFY(found.sinks == std::vector<std::size_t>{2});
        VERIFY_AGREES(compare(found.values[Statistic::Sink], 1));
        QVERIFY(statisticsOf(map(encoder, 6, 6, evenly), words(6)).sinks.empty());
        QVERIFY(found.sinkTokens == (std::array<std::size_t, 4>{0, 0, 0, 1}));
        // An end token can be a sink.
        const auto end = statisticsOf(map(encoder, 6, 6, column(5)), sentence(6));
        QVERIFY(end.sinks == std::vector<std::size_t>{5});
        VERIFY_AGREES(compare(end.values[Statistic::Sink], 1));
        QVERIFY(end.sinkTokens == (std::array<std::size_t, 4>{1, 0, 0, 0}));
    }

    void theSameTokenElsewhereCountsInRowsThatHaveOne() {
        auto tokens = words(4);
        tokens[3].id = tokens[0].id;
        const auto other = [](std::size_t query, std::size_t key) { return key == 3 - query ? 1.0 : 0.0; };
        VERIFY_AGREES(
            compare(statisticsOf(map(encoder, 4, 4, other), tokens).values[Statistic::SameToken], 1));
        QVERIFY(!statisticsOf(map(encoder, 4, 4, other), words(4)).values[Statistic::SameToken]);
        // The first row of a decoder cannot attend to later tokens.
        VERIFY_AGREES(
            compare(statisticsOf(map(decoder, 4, 4, column(0)), tokens).values[Statistic::SameToken], 1));
    }

    void tokensWithoutIdsAreTheSameWhereTheyAreSpelledAlike() {
        auto tokens = words(4);
        for (auto& token : tokens)
            token.id = -1;
        QVERIFY(!statisticsOf(map(encoder, 4, 4, evenly), tokens).values[Statistic::SameToken]);
        tokens[3].piece = tokens[0].piece;
        VERIFY_AGREES(
            compare(statisticsOf(map(encoder, 4, 4, evenly), tokens).values[Statistic::SameToken], 0.25));
    }

    /// Tokens a b c a b c: the last three rows have a copy, and what followed it.
    void whatComesAgainIsReadAtItsCopyOrBehindIt() {
        const auto tokens = pieces("abcabc");
        const auto back = [](std::size_t steps) {
            return [steps](std::size_t query, std::size_t key) {
                return key + steps == query || (query < steps && key == 0) ? 1.0 : 0.0;
            };
        };
        const auto copy = statisticsOf(map(decoder, 6, 6, back(3)), tokens);
        VERIFY_AGREES(compare(copy.values[Statistic::DuplicateToken], 1));
        VERIFY_AGREES(compare(copy.values[Statistic::Induction], 0));
        const auto behind = statisticsOf(map(decoder, 6, 6, back(2)), tokens);
        VERIFY_AGREES(compare(behind.values[Statistic::DuplicateToken], 0));
        VERIFY_AGREES(compare(behind.values[Statistic::Induction], 1));
        QCOMPARE(behind.inductionRows, std::size_t(3));
        // Uniform: one such key among 4, 5 and 6.
        const auto uniform = statisticsOf(map(decoder, 6, 6, evenly), tokens);
        for (const auto statistic : {Statistic::DuplicateToken, Statistic::Induction})
            VERIFY_AGREES(compare(uniform.values[statistic], (1 / 4.0 + 1 / 5.0 + 1 / 6.0) / 3));
    }

    void theTokenItselfFollowsNoCopy() {
        const auto twice = statisticsOf(map(decoder, 3, 3, diagonal), pieces("abb"));
        QVERIFY(twice.values[Statistic::DuplicateToken].has_value());
        QVERIFY(!twice.values[Statistic::Induction]);
        QCOMPARE(twice.inductionRows, std::size_t(0));
    }

    void copiesBehindAWindowDoNotCount() {
        auto record = map(decoder, 6, 6, evenly);
        for (std::size_t row = 0; row < 6; ++row)
            for (std::size_t key = 0; key + 2 < row; ++key)
                record.mask(row, key) = 0;
        const auto found = statisticsOf(record, pieces("abcabc"));
        QVERIFY(!found.values[Statistic::DuplicateToken]); // three back
        QVERIFY(found.values[Statistic::Induction].has_value());
    }

    void aPairOfTextsIsReadWithinAndAcross() {
        const auto tokens = words(5);
        auto record = map(encoder, 5, 5, [](std::size_t query, std::size_t key) {
            return (query < 2) == (key < 2) ? 1.0 : 2.0;
        });
        const auto found = analysis::headStatistics(record, 0, tokens, tokens, trace::TokenIndex(2));
        VERIFY_AGREES(compare(found.values[Statistic::FirstReadsSecond], 6 / 8.0));
        VERIFY_AGREES(compare(found.values[Statistic::SecondReadsFirst], 4 / 7.0));
        const auto table = *analysis::weightBetweenTexts(found.values);
        VERIFY_AGREES(compare(table[0][0], 2 / 8.0));
        VERIFY_AGREES(compare(table[0][1], 6 / 8.0));
        VERIFY_AGREES(compare(table[1][0], 4 / 7.0));
        VERIFY_AGREES(compare(table[1][1], 3 / 7.0));
        QVERIFY(!analysis::weightBetweenTexts(statisticsOf(record, tokens).values));
    }

    void crossAttentionThatRunsAlongIsMonotonous() {
        const auto along = [](std::size_t query, std::size_t key) { return key == query / 2 ? 1.0 : 0.0; };
        const auto found = analysis::headStatistics(map(cross, 10, 6, along), 0, words(10), sentence(6));
        QVERIFY(*found.values[Statistic::Monotony] > 0.95);
        VERIFY_AGREES(compare(found.expectedPositions[7], 3));
        QVERIFY(!found.values[Statistic::Distance] && !found.values[Statistic::Diagonal]);
        const auto back = [](std::size_t query, std::size_t key) { return key == 4 - query / 2 ? 1.0 : 0.0; };
        QVERIFY(*analysis::headStatistics(map(cross, 10, 6, back), 0, words(10), sentence(6))
                     .values[Statistic::Monotony] < -0.95);
    }

    void expectedPositionsAreOfTextAlone() {
        const auto found = analysis::headStatistics(map(cross, 4, 6, column(5)), 0, words(4), sentence(6));
        for (const auto& position : found.expectedPositions)
            QVERIFY(!position);
        QVERIFY(!found.values[Statistic::Monotony]);
    }

    void theScaledDiagonalOfARectangleGoesFromCornerToCorner() {
        const auto corner = [](std::size_t query, std::size_t key) {
            return std::lround(double(query) * 5 / 10) == long(key) ? 1.0 : 0.0;
        };
        const auto found = analysis::headStatistics(map(cross, 11, 6, corner), 0, words(11), words(6));
        VERIFY_AGREES(compare(found.values[Statistic::ScaledDiagonal], 1));
    }

    void paddingDoesNotCount() {
        auto tokens = words(6);
        tokens[4].role = tokens[5].role = TokenRole::Padding;
        auto record = map(encoder, 6, 6, [](std::size_t, std::size_t key) { return key < 4 ? 1.0 : 0.0; });
        for (std::size_t row = 0; row < 6; ++row)
            record.mask(row, 4) = record.mask(row, 5) = 0;
        const auto found = statisticsOf(record, tokens);
        QCOMPARE(found.rows, std::size_t(4));
        VERIFY_AGREES(compare(found.values[Statistic::NormalisedEntropy], 1, sizeOfEntropy(1)));
        VERIFY_AGREES(compare(found.values[Statistic::Last], 0.25)); // the last token before padding
    }

    void closedRowsAndRowsThatAreNoNumbersDoNotCount() {
        auto record = map(encoder, 4, 4, diagonal);
        for (std::size_t key = 0; key < 4; ++key) {
            record.mask(0, key) = 0;
            record.weights.at(0, 0, key) = 0.25F;
            record.weights.at(0, 1, key) = std::nanf("");
        }
        const auto found = statisticsOf(record, words(4));
        QCOMPARE(found.rows, std::size_t(2));
        VERIFY_AGREES(compare(found.values[Statistic::Diagonal], 1));
        record.mask = trace::MaskMatrix(4, 4);
        QVERIFY(statisticsOf(record, words(4)).values == analysis::StatisticValues());
    }

    void rowsOfCrossAttentionArePaddedByWhatWasFed() {
        trace::Run run;
        run.source = sentence(4);
        run.target = words(3);
        run.target[2].role = TokenRole::Padding;
        run.next = words(3); // a prediction after padding is not padding
        run.cross = {map(cross, 3, 4, evenly)};
        const auto found = analysis::statisticsOfHeads(run);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().rows, std::size_t(2));
        VERIFY_AGREES(compare(found.front().uniform[Statistic::End], 0.25));
    }
};

HEADSCOPE_TEST(StatisticsOfHeadsTest)
#include "statistics_of_heads_test.moc"

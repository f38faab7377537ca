#include <QTest>

#include "model/analysis/compare/aligned_maps.h"
#include "model/analysis/compare/head_changes.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"
#include "tests/compared_numbers.h"
#include "tests/model/analysis/hand_made_maps.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace headscope;
using analysis::AlignBy;
using hand_made::crossHead;
using hand_made::pieces;
using trace::AttentionKind;

namespace {

/// Two cross-attention heads of random weights over these tokens.
std::shared_ptr<trace::Run> random(const std::string& source, const std::string& next, unsigned seed) {
    auto run = std::make_shared<trace::Run>();
    run->source = pieces(source);
    run->next = pieces(next);
    run->target = pieces("s" + next.substr(0, next.size() - 1));
    trace::AttentionRecord record{.site = crossHead.site,
                                  .mask = trace::MaskMatrix(next.size(), source.size(), 1),
                                  .weights = {2, next.size(), source.size()}};
    std::mt19937 generator(seed);
    std::exponential_distribution<double> draw;
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t r = 0; r < next.size(); ++r) {
            std::vector<double> row;
            double sum = 0;
            for (std::size_t c = 0; c < source.size(); ++c)
                sum += row.emplace_back(draw(generator));
            for (std::size_t c = 0; c < source.size(); ++c)
                record.weights.at(h, r, c) = static_cast<float>(row[c] / sum);
        }
    run->cross = {record};
    return run;
}

analysis::UnitMap unitMap(const trace::Run& run, const std::vector<analysis::AxisUnit>& queries,
                          const std::vector<analysis::AxisUnit>& keys, int head = 0) {
    return analysis::unitMap(run, {crossHead.site, head}, queries, keys);
}

struct Compared {
    analysis::AlignedMaps maps;
    analysis::HeadChange change;
};

Compared compare(const trace::Run& first, const trace::Run& second) {
    const auto alignment = analysis::alignRuns(first, second);
    const auto& queries = alignment.queriesOf(AttentionKind::Cross);
    const auto& keys = alignment.keysOf(AttentionKind::Cross);
    const auto one = unitMap(first, queries.first, keys.first);
    const auto other = unitMap(second, queries.second, keys.second);
    return {analysis::compareMaps(one, other, queries, keys),
            analysis::compareHeads(one, other, queries, keys)};
}

/// KL(p || m) / 2 + KL(q || m) / 2 in nats, reimplemented.
double jensenShannonNats(const std::vector<double>& p, const std::vector<double>& q) {
    double nats = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double m = 0.5 * (p[i] + q[i]);
        nats += p[i] > 0 ? 0.5 * p[i] * std::log(p[i] / m) : 0;
        nats += q[i] > 0 ? 0.5 * q[i] * std::log(q[i] / m) : 0;
    }
    return nats;
}

} // namespace

class AlignedMapsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void someRowsAreThoseOfTheWholeMaps() {
        const auto first = random("abcdefgh", "klmnopq", 1);
        const auto second = random("abxxcdfgh", "klmmopqr", 2);
        const auto alignment = analysis::alignRuns(*first, *second);
        const auto& queries = alignment.queriesOf(AttentionKind::Cross);
        const auto& keys = alignment.keysOf(AttentionKind::Cross);
        const auto whole = compare(*first, *second).maps;
        QVERIFY(whole.rows.size() > 3 && keys.places.size() > 3);
        const analysis::ComparedRows rows(*first, crossHead, *second, crossHead, queries, keys);
        std::vector<double> received(keys.places.size());
        for (std::size_t from = 0; from < whole.rows.size(); from += 3) {
            const auto to = std::min(whole.rows.size(), from + 3);
            const auto some = rows.rows({from, to});
            for (std::size_t r = from; r < to; ++r)
                for (std::size_t c = 0; c < keys.places.size(); ++c) {
                    QCOMPARE(some.change(r - from, c), whole.change(r, c));
                    QCOMPARE(some.both(r - from, c), whole.both(r, c));
                    QCOMPARE(some.secondOpen(r - from, c), whole.secondOpen(r, c));
                }
            for (std::size_t c = 0; c < received.size(); ++c)
                received[c] += some.firstReceived[c].value_or(0);
            const analysis::ComparedRows one(*first, crossHead, *second, crossHead, queries, keys,
                                             analysis::MapSpan{from, from + 1});
            const auto row = one.rows({from, from + 1});
            for (std::size_t c = 0; c < keys.places.size(); ++c)
                QCOMPARE(row.first(0, c), whole.first(from, c));
        }
        for (std::size_t c = 0; c < received.size(); ++c)
            VERIFY_AGREES(tests::compare("received", received[c], whole.firstReceived[c].value_or(0),
                                         2.0 * tests::ofSum(whole.rows.size(), received[c], tests::float64)));
    }

    void equalRunsAreNotApart() {
        const auto run = random("abcde", "vwxyz", 1);
        const auto [maps, change] = compare(*run, *run);
        QCOMPARE(change.divergence, 0.0);
        QCOMPARE(change.largest, 0.0);
        QCOMPARE(change.entropyChange, 0.0);
        QCOMPARE(change.rows, 5u);
        QCOMPARE(maps.largest, 0.0);
    }

    void aComparisonIsTheSameBothWays() {
        for (unsigned seed = 1; seed < 20; ++seed) {
            const auto first = random("abcde", "vwxyz", seed);
            const auto second = random("abXcdeY", "vwyz", seed + 100);
            const auto there = compare(*first, *second).change;
            const auto back = compare(*second, *first).change;
            // Means over at most five rows of sums over at most seven keys, of 3 bits at most.
            const auto limit = 2.0 * tests::ofSum(5 * 7 + 4, 2 * 3, tests::float64);
            VERIFY_AGREES(tests::compare("divergence", there.divergence, back.divergence, limit));
            VERIFY_AGREES(
                tests::compare("change of entropy", there.entropyChange, -back.entropyChange, limit));
            QCOMPARE(std::abs(there.largest), std::abs(back.largest));
            QVERIFY(there.divergence > 0 && there.divergence <= 1); // 1 bit is ln 2 nats
        }
    }

    void rowsOnDifferentKeysAreAsFarApartAsCanBe() {
        auto first = random("abc", "xy", 1);
        auto second = random("abc", "xy", 1);
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t c = 0; c < 3; ++c) {
                first->cross[0].weights.at(0, r, c) = c == 0 ? 1 : 0;
                second->cross[0].weights.at(0, r, c) = c == 2 ? 1 : 0;
            }
        const auto change = compare(*first, *second).change;
        QCOMPARE(change.divergence, 1.0);
        QCOMPARE(std::abs(change.largest), 1.0);
    }

    void whatHasNoCounterpartIsOneEvent() {
        const auto first = random("abcd", "x", 3);
        const auto second = random("aXbYWdZ", "x", 4); // a, b, d are matched
        const auto [maps, change] = compare(*first, *second);
        const auto& p = first->cross[0].weights;
        const auto& q = second->cross[0].weights;
        std::vector<double> one{p(0, 0, 0), p(0, 0, 1), p(0, 0, 3)};
        std::vector<double> other{q(0, 0, 0), q(0, 0, 2), q(0, 0, 5)};
        one.push_back(p(0, 0, 2));
        other.push_back(double(q(0, 0, 1)) + q(0, 0, 3) + q(0, 0, 4) + q(0, 0, 6));
        // The sum of what has no counterpart is rounded, which changes half a logarithm of at most 1 bit as
        // much.
        const auto ofSums = tests::ofRoundings(1, other.back());
        const auto inFloat64 = 2.0 * tests::ofSum(7 + 4, 3, tests::float64);
        VERIFY_AGREES(tests::compare("divergence", change.divergence,
                                     jensenShannonNats(one, other) / std::log(2), ofSums + inFloat64));
        VERIFY_AGREES(
            tests::compare("outside of the first", change.firstOutside, one.back(), tests::exact()));
        VERIFY_AGREES(tests::compare("outside of the second", maps.rowComparisons[0]->secondOutside,
                                     other.back(), ofSums));
        double bits = 0;
        for (std::size_t c = 0; c < 7; ++c)
            bits -= double(q(0, 0, c)) * std::log2(double(q(0, 0, c)));
        VERIFY_AGREES(tests::compare("bits", maps.rowComparisons[0]->secondEntropy, bits, inFloat64));
    }

    void cellsAreSubtractedOnlyWhereBothAreThere() {
        const auto first = random("ab", "xy", 5);
        const auto second = random("aQb", "xy", 6);
        const auto maps = compare(*first, *second).maps;
        QCOMPARE(maps.columns.size(), 3u);
        QVERIFY(!maps.columns[1].first);
        for (std::size_t r = 0; r < 2; ++r) {
            QCOMPARE(maps.both(r, 1), 0);
            QCOMPARE(maps.firstOpen(r, 1), 0);
            QCOMPARE(maps.second(r, 1), second->cross[0].weights(0, r, 1));
            QCOMPARE(maps.change(r, 2), second->cross[0].weights(0, r, 2) - first->cross[0].weights(0, r, 1));
        }
        QVERIFY(!maps.firstReceived[1]);
        const auto& weights = second->cross[0].weights;
        QCOMPARE(*maps.secondReceived[1], double(weights(0, 0, 1)) + double(weights(0, 1, 1)));
    }

    void aCellThatIsMaskedInBothHasNoChange() {
        const auto first = random("ab", "xy", 5);
        const auto second = random("ab", "xy", 6);
        first->cross[0].mask(0, 1) = second->cross[0].mask(0, 1) = 0;
        QCOMPARE(compare(*first, *second).maps.both(0, 1), 0);
        second->cross[0].mask(0, 1) = 1;
        QCOMPARE(compare(*first, *second).maps.both(0, 1), 1);
    }

    void wordsSumKeysAndAverageQueries() {
        auto first = random("abc", "xy", 7);
        first->source = {{.piece = "▁un"}, {.piece = "der"}, {.piece = "▁it"}};
        first->next = {{.piece = "▁da"}, {.piece = "r"}};
        const auto queries = analysis::axisUnits(first->next, AlignBy::Words);
        const auto keys = analysis::axisUnits(first->source, AlignBy::Words);
        const auto words = unitMap(*first, queries, keys);
        QCOMPARE(words.weights.rows(), 1u);
        QCOMPARE(words.weights.columns(), 2u);
        const auto& w = first->cross[0].weights;
        const double under = (double(w(0, 0, 0)) + w(0, 0, 1) + w(0, 1, 0) + w(0, 1, 1)) / 2;
        VERIFY_AGREES(tests::compare("weight", words.weights(0, 0), under, tests::ofRoundings(1, under)));
        // Weights are rounded, and then their sums.
        VERIFY_AGREES(tests::compare("sum of weights", double(words.weights(0, 0)) + words.weights(0, 1), 1,
                                     tests::ofRoundings(2, 1)));
    }

    void rowsWithoutAChoiceDoNotCount() {
        const auto first = random("ab", "xy", 8);
        const auto second = random("ab", "xy", 9);
        for (const auto& run : {first, second})
            run->cross[0].mask(0, 1) = 0;
        QCOMPARE(compare(*first, *second).change.rows, 1u);
        first->cross[0].mask(1, 0) = first->cross[0].mask(1, 1) = 0; // fully masked
        const auto compared = compare(*first, *second);
        QCOMPARE(compared.change.rows, 0u);
        QVERIFY(std::isnan(compared.change.divergence));
        QVERIFY(!compared.maps.rowComparisons[1]);
    }

    void rowsOfAMapThatWasLeftOutAreThoseOfTheWholeMap() {
        const auto whole = random("abcdef", "klmno", 3);
        const auto leftOut = std::make_shared<trace::Run>(*whole);
        auto open = std::make_shared<trace::AllowedRanges>(6);
        for (std::size_t r = 0; r < 5; ++r)
            open->addRow(std::vector<std::uint8_t>{1, 1, 1, 1, std::uint8_t(r > 2), 1});
        std::vector<float> q(2 * 5 * 3), k(2 * 6 * 3);
        for (std::size_t i = 0; i < q.size(); ++i)
            q[i] = static_cast<float>(i % 7) / 3 - 1;
        for (std::size_t i = 0; i < k.size(); ++i)
            k[i] = static_cast<float>(i % 5) / 2 - 1;
        leftOut->cross = {{.site = crossHead.site,
                           .q = {2, 5, 3, q},
                           .k = {2, 6, 3, k},
                           .rule = std::make_shared<const trace::RecomputeRecipe>(
                               trace::RecomputeRecipe{.closedScore = -1e9, .open = open})}};
        whole->cross = {analysis::withMaps(leftOut->cross[0])};
        const auto other = random("abdef", "klnno", 4);
        const auto alignment = analysis::alignRuns(*whole, *other);
        const auto& queries = alignment.queriesOf(AttentionKind::Cross);
        const auto& keys = alignment.keysOf(AttentionKind::Cross);
        const trace::HeadAddress head{crossHead.site, 1};
        const analysis::MapSpan rows{1, 4};
        const auto expected = analysis::ComparedRows(*whole, head, *other, head, queries, keys).rows(rows);
        const auto found =
            analysis::ComparedRows(*leftOut, head, *other, head, queries, keys, rows).rows(rows);
        for (std::size_t r = 0; r < 3; ++r) {
            // Queries and keys are at most 1, scores at most 3; both maps are computed from them.
            VERIFY_AGREES(
                tests::compare("row", found.first.row(r), expected.first.row(r), [&](std::size_t c) {
                    const double weight = expected.first(r, c);
                    return 2.0 * (2 * weight * tests::ofSum(3, 3) + tests::ofSoftmax(6, 3, weight));
                }));
            for (std::size_t c = 0; c < keys.places.size(); ++c)
                QCOMPARE(found.firstOpen(r, c), expected.firstOpen(r, c));
        }
    }

    void theNearestHeadIsTheOneThatLooksTheSame() {
        const auto first = random("abcd", "xyz", 10);
        const auto second = random("abcd", "xyz", 11);
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t c = 0; c < 4; ++c)
                second->cross[0].weights.at(1, r, c) = first->cross[0].weights(0, r, c);
        const auto alignment = analysis::alignRuns(*first, *second);
        const auto nearest = analysis::nearestHead(*first, crossHead, *second, alignment);
        QVERIFY(nearest);
        QCOMPARE(nearest->other.head, 1);
        QCOMPARE(nearest->divergence, 0.0);
    }

    void headsOfTheSameShapeAreComparedByAddressAndOthersWithTheNearest() {
        const auto first = random("abcd", "xyz", 12);
        const auto second = random("abcd", "xyz", 13);
        const auto alignment =
            std::make_shared<const analysis::RunAlignment>(analysis::alignRuns(*first, *second));
        analysis::HeadChangeSteps same(first, second, alignment);
        while (!same.goOn(std::chrono::milliseconds(0)))
            ;
        QCOMPARE(same.changes().size(), 2u);
        QCOMPARE(same.changes()[1].other.head, 1);
        const auto fewer = std::make_shared<trace::Run>(*second);
        auto& record = fewer->cross[0];
        record.weights = {1, 3, 4, {record.weights.values().begin(), record.weights.values().begin() + 12}};
        QVERIFY(!analysis::haveSameHeads(*first, *fewer));
        analysis::HeadChangeSteps nearest(first, fewer, alignment);
        while (!nearest.goOn(std::chrono::milliseconds(0)))
            ;
        QCOMPARE(nearest.done(), 2u);
        QCOMPARE(nearest.changes().size(), 2u);
        QCOMPARE(nearest.changes()[1].head.head, 1);
        QCOMPARE(nearest.changes()[1].other.head, 0);
    }

    void aLongComparisonTellsHowFarItIs() {
        const auto first = random("abcd", "xyz", 12);
        const auto second = random("abcd", "xyz", 13);
        const auto alignment =
            std::make_shared<const analysis::RunAlignment>(analysis::alignRuns(*first, *second));
        std::vector<double> shares;
        const trace::Task work({}, [&](double share) { shares.push_back(share); });
        const auto toldInOrder = [&](double last) {
            const bool told = shares.size() > 2 && std::ranges::is_sorted(shares) && shares.front() >= 0 &&
                              shares.back() >= last && shares.back() <= 1;
            shares.clear();
            return told;
        };
        analysis::HeadChangeSteps steps(first, second, alignment);
        while (!steps.goOn(std::chrono::milliseconds(0), work))
            ;
        QVERIFY(toldInOrder(0.8));
        analysis::nearestHead(*first, crossHead, *second, *alignment, work);
        QVERIFY(toldInOrder(0.8));
    }

    void aComparisonThatIsStoppedKeepsWhatItHas() {
        const auto first = random("abcd", "xyz", 12);
        const auto second = random("abcd", "xyz", 13);
        const auto alignment =
            std::make_shared<const analysis::RunAlignment>(analysis::alignRuns(*first, *second));
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            analysis::nearestHead(*first, crossHead, *second, *alignment, stopped.get_token()),
            trace::Cancelled);
        analysis::HeadChangeSteps steps(first, second, alignment);
        QVERIFY(!steps.goOn(std::chrono::milliseconds(0)));
        QVERIFY_EXCEPTION_THROWN(steps.goOn(std::chrono::milliseconds(0), stopped.get_token()),
                                 trace::Cancelled);
        QCOMPARE(steps.done(), 1u);
        while (!steps.goOn(std::chrono::milliseconds(0)))
            ;
        QCOMPARE(steps.changes().size(), 2u);
    }

    void weightsThatWereNotKeptAreNoMap() {
        const auto first = random("ab", "xy", 1);
        const auto second = random("ab", "xy", 2);
        second->cross[0].weights = {};
        QVERIFY(compare(*first, *second).maps.empty());
        QCOMPARE(compare(*first, *second).change.rows, 0u);
    }
};

HEADSCOPE_TEST(AlignedMapsTest)
#include "aligned_maps_test.moc"

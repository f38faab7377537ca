#include <QTest>

#include "model/analysis/maps/recomputed_map.h"
#include "tests/compared_numbers.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace headscope;
using trace::AttentionRecord;
using trace::RecomputeRecipe;

class RecomputedMapTest : public QObject {
    Q_OBJECT

    static constexpr std::size_t heads = 2;
    static constexpr std::size_t queries = 70; // more than two blocks of rows, the last one incomplete
    static constexpr std::size_t keys = 37;
    static constexpr std::size_t width = 5;
    static constexpr double closedScore = -1e9;

    static std::vector<float> someNumbers(std::size_t count, unsigned seed) {
        std::mt19937 random(seed);
        std::vector<float> numbers(count);
        for (float& number : numbers)
            number = static_cast<float>(random() % 2001) / 1000 - 1;
        return numbers;
    }

    static bool isOpen(std::size_t query, std::size_t key) {
        return key <= query + 3 && (query * 7 + key) % 5 != 0;
    }

    /// A record without stored maps, with everything that recomputation may need.
    static AttentionRecord leftOut() {
        auto open = std::make_shared<trace::AllowedRanges>(keys);
        for (std::size_t query = 0; query < queries; ++query) {
            std::vector<std::uint8_t> row(keys);
            for (std::size_t key = 0; key < keys; ++key)
                row[key] = isOpen(query, key);
            open->addRow(row);
        }
        auto bias = std::make_shared<trace::RelativeBias>();
        bias->buckets = {.buckets = 8, .distance = 16, .bothWays = true};
        bias->heads = heads;
        bias->factor = 0.5;
        bias->table = someNumbers(8 * heads, 3);
        for (std::size_t query = 0; query < queries; ++query)
            bias->queries.push_back(query == 4 ? -1 : static_cast<std::int64_t>(query));
        for (std::size_t key = 0; key < keys; ++key)
            bias->keys.push_back(static_cast<std::int64_t>(key));
        const trace::HeadAddress head{{trace::AttentionKind::Cross, 0}, 1};
        return {.site = head.site,
                .q = {heads, queries, width, someNumbers(heads * queries * width, 1)},
                .k = {heads, keys, width, someNumbers(heads * keys * width, 2)},
                .rule = std::make_shared<const RecomputeRecipe>(RecomputeRecipe{
                    .scale = 0.75,
                    .closedScore = closedScore,
                    .open = open,
                    .bias = bias,
                    .firstQuery = 10,
                    .blocked = {{.head = head, .query = 15, .key = 2}},
                    .forced = {{.head = head, .query = 16, .pattern = trace::RowPattern::Uniform}}})};
    }

    static double expectedScore(const AttentionRecord& record, std::size_t head, std::size_t query,
                                std::size_t key) {
        double product = 0;
        for (std::size_t d = 0; d < width; ++d)
            product += double(record.q(head, query, d)) * double(record.k(head, key, d));
        const auto& bias = *record.rule->bias;
        const auto bucket =
            static_cast<std::size_t>(bias.buckets.of(bias.keys[key] - static_cast<std::int64_t>(query)));
        return 0.75 * product + (query == 4 ? 0 : 0.5 * double(bias.table[bucket * heads + head]));
    }

    static std::vector<double> expectedWeights(const AttentionRecord& record, std::size_t head,
                                               std::size_t query) {
        const bool isForced = head == 1 && query == 6;  // 16 in the sequence
        const bool isBlocked = head == 1 && query == 5; // 15 in the sequence
        std::vector<double> weights(keys);
        double sum = 0;
        for (std::size_t key = 0; key < keys; ++key) {
            const bool counts = isOpen(query, key) && !(isBlocked && key == 2);
            weights[key] = !counts ? 0 : isForced ? 1 : std::exp(expectedScore(record, head, query, key));
            sum += weights[key];
        }
        for (double& weight : weights)
            weight /= sum;
        return weights;
    }

    /// A score is a sum of products, times the scale, and the bias.
    static tests::Limit ofScore(const AttentionRecord& record, std::size_t head, std::size_t query,
                                std::size_t key) {
        double sizes = 0;
        for (std::size_t d = 0; d < width; ++d)
            sizes += std::abs(double(record.q(head, query, d)) * double(record.k(head, key, d)));
        return tests::ofSum(width + 3, 0.75 * sizes + 0.5);
    }

    /// A weight is off by twice what the scores of its row are, and by the softmax.
    static tests::Limit ofWeight(const AttentionRecord& record, std::size_t head, std::size_t query,
                                 double weight) {
        double largest = 0;
        auto ofScores = tests::exact();
        for (std::size_t key = 0; key < keys; ++key) {
            largest = std::max(largest, std::abs(expectedScore(record, head, query, key)));
            if (const auto ofOne = ofScore(record, head, query, key); ofOne.distance > ofScores.distance)
                ofScores = ofOne;
        }
        return 2 * weight * ofScores + tests::ofSoftmax(keys, largest, weight);
    }

    const AttentionRecord record_ = leftOut();

  private Q_SLOTS:
    void everyCellIsTheSoftmaxOfProductsAndBias() {
        const auto whole = analysis::withMaps(record_);
        QVERIFY(!whole.isRecomputed());
        QCOMPARE(whole.heads(), heads);
        for (std::size_t head = 0; head < heads; ++head) {
            const auto scores = analysis::recomputedScores(record_, head, {});
            const auto weights = analysis::recomputedWeights(record_, head, {});
            for (std::size_t query = 0; query < queries; ++query) {
                const auto expected = expectedWeights(record_, head, query);
                const auto row = analysis::headRow(record_, head, query);
                for (std::size_t key = 0; key < keys; ++key) {
                    const double score = expectedScore(record_, head, query, key);
                    const auto ofScore = this->ofScore(record_, head, query, key);
                    VERIFY_AGREES(tests::compare("score", scores(query, key), score, ofScore));
                    VERIFY_AGREES(tests::compare("score of a row", row.scores[key], score, ofScore));
                    VERIFY_AGREES(
                        tests::compare("score of the map", whole.scores(head, query, key), score, ofScore));
                    const double weight = expected[key];
                    const auto ofWeight = this->ofWeight(record_, head, query, weight);
                    VERIFY_AGREES(tests::compare("weight", weights(query, key), weight, ofWeight));
                    VERIFY_AGREES(tests::compare("weight of a row", row.weights[key], weight, ofWeight));
                    VERIFY_AGREES(tests::compare("weight of the map", whole.weights(head, query, key), weight,
                                                 ofWeight));
                    QCOMPARE(row.open[key] != 0, isOpen(query, key)); // the model's own mask
                    QCOMPARE(whole.mask(query, key) != 0, isOpen(query, key));
                }
            }
        }
    }

    void aQueryThatIsAThousandthLargerShows() {
        auto changed = record_;
        changed.q.at(0, 20, 0) *= 1.001F;
        const auto row = analysis::headRow(changed, 0, 20);
        const auto expected = expectedWeights(record_, 0, 20);
        QVERIFY(!tests::compare("weights", row.weights, expected,
                                [&](std::size_t key) { return ofWeight(record_, 0, 20, expected[key]); }));
    }

    /// Their exponentials overflow a float.
    void hugeScoresAreWeightsTooWhereverTheyStand() {
        for (std::size_t largest = 0; largest < keys; ++largest) {
            auto open = std::make_shared<trace::AllowedRanges>(keys);
            open->addRow(std::vector<std::uint8_t>(keys, 1));
            std::vector<float> k(keys, 1.0F);
            k[largest] = 1000;
            const AttentionRecord record{.q = {1, 1, 1, {1.0F}},
                                         .k = {1, keys, 1, k},
                                         .rule = std::make_shared<const RecomputeRecipe>(
                                             RecomputeRecipe{.closedScore = closedScore, .open = open})};
            const auto weights = analysis::recomputedWeights(record, 0, {});
            for (std::size_t key = 0; key < keys; ++key)
                QCOMPARE(weights(0, key), key == largest ? 1.0F : 0.0F);
        }
    }

    void aPooledCellIsTheLargestOfItsAllowedCells() {
        constexpr std::size_t high = 4, wide = 3; // cells of the whole map per pooled cell
        const auto pooled = analysis::pooledWeights(record_, 1, 18, 13);
        QCOMPARE(pooled.values.rows(), std::size_t(18));
        QCOMPARE(pooled.values.columns(), std::size_t(13));
        for (std::size_t r = 0; r < pooled.values.rows(); ++r)
            for (std::size_t c = 0; c < pooled.values.columns(); ++c) {
                double largest = 0;
                auto limit = tests::exact();
                bool any = false;
                for (std::size_t query = r * high; query < std::min(queries, (r + 1) * high); ++query)
                    for (std::size_t key = c * wide; key < std::min(keys, (c + 1) * wide); ++key)
                        if (isOpen(query, key)) {
                            any = true;
                            const double weight = expectedWeights(record_, 1, query)[key];
                            largest = std::max(largest, weight);
                            if (const auto ofOne = ofWeight(record_, 1, query, weight);
                                ofOne.distance > limit.distance)
                                limit = ofOne;
                        }
                QCOMPARE(pooled.open(r, c) != 0, any);
                if (any)
                    VERIFY_AGREES(tests::compare("pooled weight", pooled.values(r, c), largest, limit));
            }
    }

    void aPreviewLooksAtSomeRowsOnly() {
        const auto pooled = analysis::pooledWeights(record_, 0, queries, keys, 2);
        for (std::size_t query = 0; query < queries; query += 2) {
            const auto expected = expectedWeights(record_, 0, query);
            for (std::size_t key = 0; key < keys; ++key)
                if (isOpen(query, key))
                    VERIFY_AGREES(tests::compare("weight", pooled.values(query, key), expected[key],
                                                 ofWeight(record_, 0, query, expected[key])));
        }
        for (std::size_t query = 1; query < queries; query += 2)
            QVERIFY(std::ranges::count(pooled.open.row(query), std::uint8_t{1}) == 0);
    }
};

HEADSCOPE_TEST(RecomputedMapTest)
#include "recomputed_map_test.moc"

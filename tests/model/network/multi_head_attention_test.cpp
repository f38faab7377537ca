#include "model/network/attention_mask.h"
#include "model/network/multi_head_attention.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTest>

using namespace headscope::network;
using random_network::ids;
namespace tests = headscope::tests;

namespace {

/// An attention sublayer with its parameters: query, key, value, output, each with weight and bias.
struct Sublayer {
    explicit Sublayer(MaskFill fill = MaskFill::NegativeInfinity)
        : attention(list, "self", configWith(fill), random_network::smallConfig().encoder) {
        random_network::fill(list.parameters());
    }

    static NetworkConfig configWith(MaskFill fill) {
        auto config = random_network::smallConfig();
        config.maskFill = fill;
        return config;
    }

    at::Tensor forward(const at::Tensor& x, const at::Tensor& mask) {
        return attention.attend(attention.queries(x), attention.keysValues(x), mask, {}, 0,
                                {.observer = &reports});
    }

    const at::Tensor& parameter(const std::string& role) const {
        return random_network::parameter(list.parameters(), role);
    }

    ParameterList list;
    MultiHeadAttention attention;
    random_network::Reports reports;
};

at::Tensor input(std::int64_t rows) {
    at::manual_seed(3);
    return at::randn({rows, 12});
}

at::Tensor open(std::int64_t rows) {
    return at::ones({rows, rows}, at::kBool);
}

/// What a sublayer with all keys open computes, and how far float32 may be from it.
struct ByHand {
    std::vector<tests::Bounded> scores, weights, outputs; // by head
    tests::Bounded result;

    ByHand(const Sublayer& sublayer, const at::Tensor& queries, const at::Tensor& keys)
        : result(at::zeros({queries.size(0), 12}, at::kDouble)) {
        const auto projected = [&](const at::Tensor& x, const std::string& part, int head) {
            const auto& weight = sublayer.parameter("self." + part + ".weight");
            const auto& bias = sublayer.parameter("self." + part + ".bias");
            return tests::linear(tests::Bounded(x), weight.narrow(0, 4 * head, 4),
                                 bias.narrow(0, 4 * head, 4));
        };
        std::vector<at::Tensor> values, errors;
        for (int head = 0; head < 3; ++head) {
            const auto k = projected(keys, "key", head);
            scores.push_back(
                0.5 * tests::product(projected(queries, "query", head), k.with(k.value.t(), k.error.t())));
            weights.push_back(tests::softmax(scores.back()));
            outputs.push_back(tests::product(weights.back(), projected(keys, "value", head)));
            values.push_back(outputs.back().value);
            errors.push_back(outputs.back().error);
        }
        result =
            tests::linear(outputs[0].with(at::cat(values, 1), at::cat(errors, 1)),
                          sublayer.parameter("self.output.weight"), sublayer.parameter("self.output.bias"));
    }
};

} // namespace

class MultiHeadAttentionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void oneHeadByHand() {
        Sublayer sublayer;
        const auto x = input(5);
        const auto y = sublayer.forward(x, open(5));
        const ByHand expected(sublayer, x, x);
        for (int head = 0; head < 3; ++head) {
            VERIFY_AGREES(tests::compare("scores", sublayer.reports.scores[0][head], expected.scores[head]));
            VERIFY_AGREES(
                tests::compare("weights", sublayer.reports.weights[0][head], expected.weights[head]));
            VERIFY_AGREES(
                tests::compare("outputs", sublayer.reports.outputs[0][head], expected.outputs[head]));
        }
        VERIFY_AGREES(tests::compare("result", y, expected.result));
    }

    void aWeightThatIsAThousandthLargerShows() {
        Sublayer sublayer;
        const auto x = input(5);
        const ByHand expected(sublayer, x, x);
        random_network::changeOneWeight(sublayer.list.parameters(), "self.query.weight");
        sublayer.forward(x, open(5));
        QVERIFY(!tests::compare("scores", sublayer.reports.scores[0][0], expected.scores[0]));
        QVERIFY(!tests::compare("weights", sublayer.reports.weights[0][0], expected.weights[0]));
        QVERIFY(!tests::compare("outputs", sublayer.reports.outputs[0][0], expected.outputs[0]));
        const ByHand expectedOfValues(sublayer, x, x);
        random_network::changeOneWeight(sublayer.list.parameters(), "self.value.weight");
        QVERIFY(!tests::compare("result", sublayer.forward(x, open(5)), expectedOfValues.result));
    }

    void theKeysBiasMovesScoresButNoWeight() {
        Sublayer sublayer;
        sublayer.forward(input(6), open(6));
        const ByHand before(sublayer, input(6), input(6));
        sublayer.parameter("self.key.bias").add_(at::randn({12}));
        sublayer.forward(input(6), open(6));
        const auto& reports = sublayer.reports;
        const ByHand moved(sublayer, input(6), input(6));
        QVERIFY(tests::largestSize(reports.scores[0] - reports.scores[1]) > 0.1);
        for (int head = 0; head < 3; ++head)
            VERIFY_AGREES(tests::compare(
                "weights", reports.weights[1][head],
                moved.weights[head].with(before.weights[head].value, moved.weights[head].error)));
    }

    void paddingChangesNothingForRealTokens() {
        for (const auto fill : {MaskFill::MinusBillion, MaskFill::LowestFinite, MaskFill::NegativeInfinity}) {
            Sublayer sublayer(fill);
            const auto x = input(6);
            const auto y = sublayer.forward(x, open(6));
            const auto padded = at::cat({x, at::randn({3, 12}) * 5});
            const auto key = at::arange(9).lt(6);
            const auto yPadded = sublayer.forward(padded, paddingMask(key, 9));
            const ByHand unpadded(sublayer, x, x);
            VERIFY_AGREES(tests::compare("result", y, unpadded.result));
            VERIFY_AGREES(tests::compare("padded result", yPadded.narrow(0, 0, 6), unpadded.result));
            QVERIFY(sublayer.reports.weights[1].narrow(2, 6, 3).abs().max().item<double>() == 0);
        }
    }

    void aRowWithoutAnAllowedKeyIsWhatItsFillMakesOfIt() {
        auto mask = open(4);
        mask[1].fill_(false);
        const auto rowWith = [&](MaskFill fill) {
            Sublayer sublayer(fill);
            sublayer.forward(input(4), mask);
            return sublayer.reports.weights[0].select(1, 1).contiguous(); // [heads, keys]
        };
        for (const auto fill : {MaskFill::MinusBillion, MaskFill::LowestFinite})
            QVERIFY(at::equal(rowWith(fill), at::full({3, 4}, 0.25)));
        QVERIFY(rowWith(MaskFill::NegativeInfinity).isnan().all().item<bool>());
    }

    void permutedKeysPermuteTheColumns() {
        Sublayer sublayer;
        const auto x = input(5);
        const auto order = ids({3, 0, 4, 1, 2});
        const auto q = sublayer.attention.queries(x);
        const auto straight = sublayer.attention.attend(q, sublayer.attention.keysValues(x), open(5), {}, 0,
                                                        {.observer = &sublayer.reports});
        const auto shuffled =
            sublayer.attention.attend(q, sublayer.attention.keysValues(x.index_select(0, order)), open(5), {},
                                      0, {.observer = &sublayer.reports});
        const ByHand expected(sublayer, x, x);
        VERIFY_AGREES(tests::compare("result", straight, expected.result));
        VERIFY_AGREES(tests::compare("shuffled result", shuffled, expected.result));
        for (int head = 0; head < 3; ++head) {
            const auto& weights = expected.weights[head];
            VERIFY_AGREES(tests::compare(
                "shuffled weights", sublayer.reports.weights[1][head],
                weights.with(weights.value.index_select(1, order), weights.error.index_select(1, order))));
        }
    }

    void masksOpenWhatTheySay() {
        const auto tokens = ids({5, 0, 6, 0});
        QVERIFY(at::equal(allowedKeys(tokens, 0), at::tensor({1, 0, 1, 0}).to(at::kBool)));
        QVERIFY(allowedKeys(tokens, std::nullopt).all().item<bool>());
        const auto causal = subsequentMask(allowedKeys(ids({5, 6, 7}), std::nullopt), 3);
        QVERIFY(at::equal(causal, at::ones({3, 3}, at::kBool).tril()));
        const auto newest = subsequentMask(allowedKeys(tokens, 0), 2); // the last two of four queries
        QVERIFY(at::equal(newest, at::tensor({1, 0, 1, 0, 1, 0, 1, 0}).view({2, 4}).to(at::kBool)));
        QVERIFY(at::equal(paddingMask(allowedKeys(tokens, 0), 1)[0], allowedKeys(tokens, 0)));
    }
};

HEADSCOPE_TEST(MultiHeadAttentionTest)
#include "multi_head_attention_test.moc"

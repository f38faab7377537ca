#include "model/network/attention_mask.h"
#include "model/network/multi_head_attention.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTest>

#include <cmath>

using namespace headscope::network;
using random_network::difference;
using random_network::ids;

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
        for (const auto& parameter : list.parameters())
            if (parameter.role == role)
                return parameter.tensor;
        throw std::out_of_range(role);
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

} // namespace

class MultiHeadAttentionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void oneHeadByHand() {
        Sublayer sublayer;
        const auto x = input(5);
        const auto y = sublayer.forward(x, open(5));
        const auto project = [&](const char* part, int head) {
            const auto whole = at::linear(x, sublayer.parameter(std::string("self.") + part + ".weight"),
                                          sublayer.parameter(std::string("self.") + part + ".bias"));
            return whole.narrow(1, 4 * head, 4);
        };
        std::vector<at::Tensor> heads;
        for (int head = 0; head < 3; ++head) {
            const auto scores = at::matmul(project("query", head), project("key", head).t()) * 0.5;
            const auto exponentials = (scores - scores.amax(1, true)).exp();
            const auto weights = exponentials / exponentials.sum(1, true);
            QVERIFY(difference(sublayer.reports.scores[0][head], scores) < 1e-5);
            QVERIFY(difference(sublayer.reports.weights[0][head], weights) < 1e-6);
            heads.push_back(at::matmul(weights, project("value", head)));
            QVERIFY(difference(sublayer.reports.outputs[0][head], heads.back()) < 1e-5);
        }
        const auto joined = at::linear(at::cat(heads, 1), sublayer.parameter("self.output.weight"),
                                       sublayer.parameter("self.output.bias"));
        QVERIFY(difference(y, joined) < 1e-5);
    }

    void theKeysBiasMovesScoresButNoWeight() {
        Sublayer sublayer;
        sublayer.forward(input(6), open(6));
        sublayer.parameter("self.key.bias").add_(at::randn({12}));
        sublayer.forward(input(6), open(6));
        const auto& reports = sublayer.reports;
        QVERIFY(difference(reports.scores[0], reports.scores[1]) > 0.1);
        QVERIFY(difference(reports.weights[0], reports.weights[1]) < 1e-6);
    }

    void paddingChangesNothingForRealTokens() {
        for (const auto fill : {MaskFill::MinusBillion, MaskFill::LowestFinite, MaskFill::NegativeInfinity}) {
            Sublayer sublayer(fill);
            const auto x = input(6);
            const auto y = sublayer.forward(x, open(6));
            const auto padded = at::cat({x, at::randn({3, 12}) * 5});
            const auto key = at::arange(9).lt(6);
            const auto yPadded = sublayer.forward(padded, paddingMask(key, 9));
            QVERIFY(difference(y, yPadded.narrow(0, 0, 6)) < 1e-5);
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
            QVERIFY(difference(rowWith(fill), at::full({3, 4}, 0.25)) < 1e-7);
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
        QVERIFY(difference(straight, shuffled) < 1e-5);
        QVERIFY(difference(sublayer.reports.weights[0].index_select(2, order), sublayer.reports.weights[1]) <
                1e-6);
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

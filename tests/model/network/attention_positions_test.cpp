#include "model/network/attention_positions.h"
#include "model/network/pass.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTest>

#include <cmath>

using namespace headscope::network;
using random_network::ids;
namespace tests = headscope::tests;

class AttentionPositionsTest : public QObject {
    Q_OBJECT

    static NetworkConfig with(PositionScheme scheme) {
        auto config = random_network::smallConfig();
        config.positions = scheme;
        config.positionBuckets = 8;
        config.positionDistance = 16;
        return config;
    }

    static headscope::network::StackConfig heads(int count) { return {.heads = count, .headWidth = 4}; }

  private Q_SLOTS:
    void theBiasOfTwoPlacesIsTheNumberOfTheirDistance() {
        for (const auto sees : {StackPositions::Sees::BothWays, StackPositions::Sees::Back}) {
            ParameterList list;
            const StackPositions positions(list, "encoder", with(PositionScheme::RelativeBuckets), heads(3),
                                           sees);
            auto table = positions.table();
            table.copy_(at::randn({8, 3}));
            const std::vector<std::int64_t> queries{4, 5, 9}, keys{0, 1, 5, 30};
            const auto bias = positions.bias(ids({4, 5, 9}), ids({0, 1, 5, 30}));
            QCOMPARE(bias.sizes().vec(), (std::vector<std::int64_t>{3, 3, 4}));
            for (std::int64_t head = 0; head < 3; ++head)
                for (std::int64_t i = 0; i < 3; ++i)
                    for (std::int64_t j = 0; j < 4; ++j) {
                        const auto bucket =
                            positions.buckets().of(keys[std::size_t(j)] - queries[std::size_t(i)]);
                        QCOMPARE(bias[head][i][j].item<float>(), table[bucket][head].item<float>());
                    }
            QVERIFY(at::equal(positions.bias(ids({-1, -1}), ids({0, 1})), at::zeros({3, 2, 2})));
        }
    }

    void aPassHasTheRowsThatItAsksFor() {
        ParameterList list;
        const StackPositions positions(list, "decoder", with(PositionScheme::RelativeBuckets), heads(2),
                                       StackPositions::Sees::Back);
        positions.table().copy_(at::randn({8, 2}));
        for (const std::int64_t longest : {0, 4}) { // whole, and in blocks of rows
            const auto of = positions.of(2, 5, 0, {.longestMap = longest});
            const auto all = positions.bias(at::arange(2, 7), at::arange(7));
            QVERIFY(of.bias.defined());
            QVERIFY(at::equal(of.bias.rows(1, 3), all.narrow(1, 1, 3)));
        }
    }

    void withoutARuleThereIsNoBias() {
        for (const auto scheme : {PositionScheme::None, PositionScheme::Table, PositionScheme::Rotary}) {
            ParameterList list;
            const StackPositions positions(list, "encoder", with(scheme), heads(3),
                                           StackPositions::Sees::BothWays);
            QVERIFY(!positions.bias(ids({0, 1}), ids({0, 1})).defined());
            QVERIFY(!positions.of(0, 2, 2, {}).bias.defined());
        }
    }

    /// Rotates dimensions m and m + 2 by the angle position / base^(m / 2).
    void queriesAreTurnedByTheirPlace() {
        ParameterList list;
        auto config = with(PositionScheme::Rotary);
        config.positionBase = 100;
        const StackPositions positions(list, "encoder", config, config.encoder,
                                       StackPositions::Sees::BothWays);
        const auto of = positions.of(3, 2, 0, {});
        const auto turned = of.turned(at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).expand({1, 2, 4}));
        for (int i = 0; i < 2; ++i)
            for (int m = 0; m < 2; ++m) {
                const double angle = (3 + i) / std::pow(100.0, m / 2.0);
                const double one = m + 1, other = m + 3;
                // Sine and cosine are rounded to float32.
                const auto limit = tests::ofSum(2 + 1, one + other);
                VERIFY_AGREES(tests::compare("turned", turned[0][i][m].item<double>(),
                                             one * std::cos(angle) - other * std::sin(angle), limit));
                VERIFY_AGREES(tests::compare("turned", turned[0][i][m + 2].item<double>(),
                                             other * std::cos(angle) + one * std::sin(angle), limit));
            }
    }
};

HEADSCOPE_TEST(AttentionPositionsTest)
#include "attention_positions_test.moc"

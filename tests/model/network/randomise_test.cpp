#include <QTest>

#include "model/network/randomise.h"
#include "model/trace/refusal.h"
#include "tests/compared_numbers.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

using namespace headscope;
using network::Transformer;

namespace {

network::NetworkConfig wide() {
    auto config = random_network::smallConfig();
    config.modelWidth = 64;
    config.encoder.headWidth = config.decoder.headWidth = 16;
    config.encoder.heads = config.decoder.heads = 4;
    config.encoder.feedForwardWidth = config.decoder.feedForwardWidth = 256;
    config.sourceVocabulary = 500;
    return config;
}

at::Tensor parameter(const Transformer& network, const std::string& role) {
    return random_network::parameter(network.parameters(), role);
}

} // namespace

class RandomiseTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theSameSeedGivesTheSameBits() {
        const Transformer one(wide()), same(wide()), other(wide());
        network::randomise(one, 5);
        network::randomise(same, 5);
        network::randomise(other, 6);
        for (std::size_t i = 0; i < tests::some(one.parameters()).size(); ++i) {
            QVERIFY(at::equal(one.parameters()[i].tensor, same.parameters()[i].tensor));
            QVERIFY(!at::equal(one.parameters()[i].tensor, other.parameters()[i].tensor));
        }
    }

    void everyKindOfParameterHasItsSpread() {
        const Transformer network(wide());
        network::randomise(network, 1);
        const auto limit = [&](const char* role) {
            return parameter(network, role).abs().max().item<double>();
        };
        // The deviation of n numbers of a normal distribution is itself off by a deviation of 1 / sqrt(2 n),
        // that of a uniform one by 1 / sqrt(5 n).
        const auto compareDeviation = [&](const char* role, double wanted, std::size_t factor) {
            const auto tensor = parameter(network, role);
            return tests::compare(role, tensor.std().item<double>(), wanted,
                                  tests::ofDraws(factor * static_cast<std::size_t>(tensor.numel()), wanted));
        };
        VERIFY_AGREES(compareDeviation("source_embedding.weight", 1.0 / 8, 2));
        VERIFY_AGREES(compareDeviation("encoder.0.feed_forward.in.bias", 0.02, 2));
        const double xavier = std::sqrt(6.0 / (64 + 256));
        // None of n numbers comes nearer to the end than 10 / n once in exp(10) times.
        VERIFY_AGREES(tests::compare("largest weight", limit("encoder.0.feed_forward.in.weight"), xavier,
                                     {xavier * 10 / (64 * 256), "10 / 16384 of the range"}));
        QVERIFY(limit("encoder.0.feed_forward.in.weight") <= xavier);
        VERIFY_AGREES(compareDeviation("decoder.1.feed_forward.out.weight", xavier / std::sqrt(3), 5));
        QVERIFY(limit("encoder.final_norm.gain") <= 1.1);
        QVERIFY(parameter(network, "encoder.final_norm.gain").min().item<double>() >= 0.9);
    }

    void nothingIsLeftZero() {
        const Transformer network(wide());
        network::randomise(network, 1);
        for (const auto& [role, tensor] : tests::some(network.parameters())) {
            QVERIFY2(tensor.isfinite().all().item<bool>(), role.c_str());
            QVERIFY2(tensor.count_nonzero().item<std::int64_t>() == tensor.numel(), role.c_str());
        }
    }

    void aStopRequestEndsIt() {
        const Transformer network(wide());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(network::randomise(network, 1, stop.get_token()), trace::Cancelled);
    }

    void theMemoryOfANetworkIsKnownWithoutTakingIt() {
        auto config = wide();
        double bytes = 0;
        const Transformer made(config);
        for (const auto& [role, tensor] : made.parameters())
            bytes += static_cast<double>(tensor.nbytes());
        QCOMPARE(Transformer::memoryNeeded(config), bytes);
        config.sourceVocabulary = std::int64_t{1} << 40;
        QVERIFY(Transformer::memoryNeeded(config) > 0x1p40 * 64 * 4);
    }
};

HEADSCOPE_TEST(RandomiseTest)
#include "randomise_test.moc"

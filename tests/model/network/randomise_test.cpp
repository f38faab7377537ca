#include <QTest>

#include "model/network/randomise.h"
#include "model/trace/refusal.h"
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
    for (const auto& [name, tensor] : network.parameters())
        if (name == role)
            return tensor;
    qFatal("%s", role.c_str());
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
        for (std::size_t i = 0; i < one.parameters().size(); ++i) {
            QVERIFY(at::equal(one.parameters()[i].tensor, same.parameters()[i].tensor));
            QVERIFY(!at::equal(one.parameters()[i].tensor, other.parameters()[i].tensor));
        }
    }

    void everyKindOfParameterHasItsSpread() {
        const Transformer network(wide());
        network::randomise(network, 1);
        const auto deviation = [&](const char* role) {
            return parameter(network, role).std().item<double>();
        };
        const auto limit = [&](const char* role) {
            return parameter(network, role).abs().max().item<double>();
        };
        const auto isAbout = [](double found, double wanted) {
            return std::abs(found - wanted) < 0.1 * wanted;
        };
        QVERIFY(isAbout(deviation("source_embedding.weight"), 1.0 / 8));
        QVERIFY(isAbout(deviation("encoder.0.feed_forward.in.bias"), 0.02));
        const double xavier = std::sqrt(6.0 / (64 + 256));
        QVERIFY(isAbout(limit("encoder.0.feed_forward.in.weight"), xavier));
        QVERIFY(limit("encoder.0.feed_forward.in.weight") <= xavier);
        QVERIFY(isAbout(deviation("decoder.1.feed_forward.out.weight"), xavier / std::sqrt(3)));
        QVERIFY(limit("encoder.final_norm.gain") <= 1.1);
        QVERIFY(parameter(network, "encoder.final_norm.gain").min().item<double>() >= 0.9);
    }

    void nothingIsLeftZero() {
        const Transformer network(wide());
        network::randomise(network, 1);
        for (const auto& [role, tensor] : network.parameters()) {
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

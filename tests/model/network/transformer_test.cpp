#include "tests/model/network/plain_network.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTest>

using namespace headscope::network;
using headscope::trace::AttentionKind;
using random_network::allOpen;
using random_network::ids;
namespace tests = headscope::tests;

namespace {

Transformer randomTransformer(const NetworkConfig& config) {
    Transformer network(config);
    random_network::fill(network.parameters());
    return network;
}

at::Tensor encode(const Transformer& network, const at::Tensor& source, ForwardObserver* observer = nullptr) {
    return network.encode(network.sourceEmbedding()(source, 0), allOpen(source), {.observer = observer});
}

/// Log-probabilities after each target token, in one pass.
at::Tensor fullPass(const Transformer& network, const at::Tensor& source, const at::Tensor& target,
                    ForwardObserver* observer = nullptr) {
    auto state = network.startDecoding(encode(network, source), allOpen(source), 1);
    return network.logProbabilities(network.decode(target, allOpen(target), state, {.observer = observer}));
}

/// The same, token by token.
at::Tensor steps(const Transformer& network, const at::Tensor& source, const at::Tensor& target) {
    auto state = network.startDecoding(encode(network, source), allOpen(source), 2);
    std::vector<at::Tensor> rows;
    for (std::int64_t t = 0; t < target.size(0); ++t) {
        const auto token = target.narrow(0, t, 1);
        rows.push_back(network.decode(token, allOpen(token), state, {}));
    }
    return network.logProbabilities(at::cat(rows));
}

/// Compares log-probabilities, or those of the last tokens, with what LibTorch's operators find.
tests::Comparison compareWithPlain(const PlainNetwork& plain, const at::Tensor& found,
                                   const at::Tensor& source, const at::Tensor& target) {
    const auto batch = PlainNetwork::batchOf(source, target);
    const auto all = plain.logProbabilities(batch);
    return tests::compare("log-probabilities", found,
                          all.narrow(0, all.size(0) - found.size(0), found.size(0)), plain.limit(batch));
}

std::vector<NetworkConfig> variations() {
    std::vector<NetworkConfig> configs;
    for (const auto scheme :
         {NormScheme::Pre, NormScheme::Post, NormScheme::PreNormedResidual, NormScheme::SublayerOutput})
        for (const auto kind :
             {NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare}) {
            auto config = random_network::smallConfig();
            config.encoder.normScheme = config.decoder.normScheme = scheme;
            config.normKind = kind;
            config.encoder.embeddingNorm = config.decoder.embeddingNorm = kind == NormKind::LayerNorm;
            config.encoder.activation = config.decoder.activation =
                scheme == NormScheme::Post ? Activation::Gelu : Activation::Silu;
            config.maskFill = scheme == NormScheme::Pre ? MaskFill::MinusBillion : MaskFill::NegativeInfinity;
            configs.push_back(config);
        }
    return configs;
}

const auto source = ids({5, 6, 7, 8, 9, 10, 3});
const auto target = ids({2, 11, 12, 13, 14, 15});

} // namespace

class TransformerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void stepsWithTheCacheEqualTheFullPass() {
        for (const auto& config : variations()) {
            const auto network = randomTransformer(config);
            const auto whole = fullPass(network, source, target);
            const PlainNetwork plain(network);
            VERIFY_AGREES(compareWithPlain(plain, whole, source, target));
            VERIFY_AGREES(compareWithPlain(plain, steps(network, source, target), source, target));
            VERIFY_AGREES(tests::compare("sums of probabilities", whole.to(at::kDouble).exp().sum(1),
                                         at::ones({6}), tests::ofSoftmax(23, tests::largestSize(whole))));
        }
    }

    void aWeightThatIsAThousandthLargerShows() {
        for (const auto& config : variations()) {
            const auto network = randomTransformer(config);
            const PlainNetwork plain(network);
            random_network::changeOneWeight(network.parameters(), "decoder.1.cross.value.weight");
            QVERIFY(!compareWithPlain(plain, fullPass(network, source, target), source, target));
        }
    }

    void aCacheThatWasCutGoesOnAsIfNothingHadBeen() {
        const auto network = randomTransformer(random_network::smallConfig());
        const auto memory = encode(network, source);
        auto state = network.startDecoding(memory, allOpen(source), 3);
        const auto wrong = ids({2, 20, 21, 22});
        network.decode(wrong, allOpen(wrong), state, {});
        for (auto& cache : state.fed)
            cache.truncate(1);
        state.openTarget = allOpen(ids({2}));
        const auto rest = target.narrow(0, 1, 5);
        const auto rows = network.logProbabilities(network.decode(rest, allOpen(rest), state, {}));
        VERIFY_AGREES(compareWithPlain(PlainNetwork(network), rows, source, target));
    }

    void laterTokensChangeNoEarlierRow() {
        const auto network = randomTransformer(random_network::smallConfig());
        const auto other = at::cat({target.narrow(0, 0, 4), ids({20, 21})});
        const auto one = fullPass(network, source, target);
        const auto two = fullPass(network, source, other);
        VERIFY_AGREES(
            compareWithPlain(PlainNetwork(network), two.narrow(0, 0, 4), source, target.narrow(0, 0, 4)));
        QVERIFY(tests::largestSize(one[4] - two[4]) > 1e-3);
    }

    void withoutPositionsTheOrderOfTheSourceMeansNothing() {
        auto config = random_network::smallConfig();
        const auto order = ids({4, 2, 6, 0, 5, 1, 3});
        const auto shuffled = source.index_select(0, order);
        const auto ordered = randomTransformer(config);
        QVERIFY(tests::largestSize(fullPass(ordered, source, target) - fullPass(ordered, shuffled, target)) >
                1e-2);
        config.positions = PositionScheme::None;
        const auto network = randomTransformer(config);
        const PlainNetwork plain(network);
        VERIFY_AGREES(compareWithPlain(plain, fullPass(network, source, target), source, target));
        VERIFY_AGREES(compareWithPlain(plain, fullPass(network, shuffled, target), source, target));
        config.decoder.layers = 0;
        const auto encoder = randomTransformer(config);
        const PlainNetwork plainEncoder(encoder);
        VERIFY_AGREES(tests::compare("encoder output", encode(encoder, shuffled),
                                     plainEncoder.encoderOutput(source).index_select(0, order),
                                     plainEncoder.limitOfEncoderOutput(source)));
    }

    void paddingTheSourceChangesNoDistribution() {
        const auto network = randomTransformer(random_network::smallConfig());
        const auto padded = at::cat({source, ids({0, 0, 0})});
        const auto open = at::arange(10).lt(7);
        const auto memory = network.encode(network.sourceEmbedding()(padded, 0), open, {});
        auto state = network.startDecoding(memory, open, 8);
        const auto rows = network.logProbabilities(network.decode(target, allOpen(target), state, {}));
        VERIFY_AGREES(compareWithPlain(PlainNetwork(network), rows, source, target));
    }

    void everySiteAndSublayerReportsOnceInOrder() {
        const auto network = randomTransformer(random_network::smallConfig());
        random_network::Reports encoder, decoder;
        encode(network, source, &encoder);
        fullPass(network, source, target, &decoder);
        QCOMPARE(encoder.sites.size(), std::size_t{2});
        QVERIFY((encoder.sites[1] == headscope::trace::AttentionSite{AttentionKind::EncoderSelf, 1}));
        QCOMPARE(encoder.residuals.size(), std::size_t{1 + 2 * 2});
        QCOMPARE(decoder.sites.size(), std::size_t{4});
        QVERIFY((decoder.sites[0] == headscope::trace::AttentionSite{AttentionKind::DecoderSelf, 0}));
        QVERIFY((decoder.sites[3] == headscope::trace::AttentionSite{AttentionKind::Cross, 1}));
        QCOMPARE(decoder.residuals.size(), std::size_t{1 + 2 * 3});
        for (int i = 0; i < 7; ++i)
            QVERIFY((decoder.sublayers[i] == std::pair(Stack::Decoder, i)));
        QVERIFY((decoder.weights[1].sizes() == at::IntArrayRef({3, 6, 7})));
    }

    void observingChangesNoBit() {
        const auto network = randomTransformer(random_network::smallConfig());
        random_network::Reports reports;
        QVERIFY(at::equal(fullPass(network, source, target, &reports), fullPass(network, source, target)));
    }

    void tiedWeightsAreOneTensor() {
        auto config = random_network::smallConfig();
        config.sourceVocabulary = config.targetVocabulary;
        const auto count = Transformer(config).parameters().size();
        config.tiedSourceTarget = config.tiedGenerator = true;
        const Transformer tied(config);
        QCOMPARE(tied.parameters().size(), count - 2);
        QVERIFY(tied.targetEmbedding().weight().is_same(tied.sourceEmbedding().weight()));
    }

    void anEncoderAloneHasNoDecoderParameters() {
        auto config = random_network::smallConfig();
        config.decoder.layers = 0;
        const auto network = randomTransformer(config);
        for (const auto& [role, tensor] : network.parameters())
            QVERIFY2(role.starts_with("encoder.") || role.starts_with("source_"), role.c_str());
        QVERIFY(!encode(network, source).isnan().any().item<bool>());
    }

    void theEmbeddingIsScaledBeforeThePositionIsAdded() {
        auto config = random_network::smallConfig();
        config.embeddingScale = 3;
        const auto network = randomTransformer(config);
        const auto& embedding = network.sourceEmbedding();
        const auto wanted =
            3 * tests::Bounded(embedding.weight()[6]) + tests::Bounded(embedding.positionTable()[4]);
        VERIFY_AGREES(tests::compare("embedding", embedding(ids({6}), 4)[0], wanted));
        QVERIFY(at::equal(embedding.positions(4, 1)[0], embedding.positionTable()[4]));
    }
};

HEADSCOPE_TEST(TransformerTest)
#include "transformer_test.moc"

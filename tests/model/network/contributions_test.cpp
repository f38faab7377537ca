#include <QTest>

#include "model/network/attention_mask.h"
#include "model/network/contributions.h"
#include "model/trace/refusal.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

using namespace headscope::network;
using headscope::trace::AttentionKind;
using headscope::trace::AttentionSite;
using random_network::difference;
using random_network::ids;

/// Contributions of tokens: identities of Kobayashi et al. 2020 and 2021, Ferrando et al. 2022, Abnar and
/// Zuidema 2020, in networks of random weights, biases and gains.
class ContributionsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Transformer> network_;
    Interventions interventions_;
    WholePass pass_;

    const at::Tensor source_ = ids({3, 4, 5, 6, 0}); // the last one is padding
    const at::Tensor fed_ = ids({1, 7, 8, 9});

    void make(NetworkConfig config) {
        network_ = std::make_unique<Transformer>(config);
        random_network::fill(network_->parameters());
        run();
    }

    void run() {
        const c10::InferenceMode inference;
        const auto open = allowedKeys(source_, 0);
        pass_ = wholePass(*network_,
                          {.embedded = network_->sourceEmbedding()(source_, 0),
                           .openSource = open,
                           .fed = fed_,
                           .openFed = allowedKeys(fed_, 0),
                           .interventions = interventions_},
                          nullptr, {});
    }

    static void schemes() {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<int>("norm");
        const std::array names{"pre", "post", "normed residual", "sublayer output"};
        const std::array schemes{NormScheme::Pre, NormScheme::Post, NormScheme::PreNormedResidual,
                                 NormScheme::SublayerOutput};
        for (std::size_t i = 0; i < names.size(); ++i)
            for (const auto norm :
                 {NormKind::LayerNorm, NormKind::AnnotatedLayerNorm, NormKind::RootMeanSquare})
                QTest::addRow("%s %d", names[i], int(norm)) << int(schemes[i]) << int(norm);
    }

    void makeScheme() {
        QFETCH(int, scheme);
        QFETCH(int, norm);
        auto config = random_network::smallConfig();
        config.normScheme = NormScheme(scheme);
        config.normKind = NormKind(norm);
        make(config);
    }

    AttentionBlock block(const AttentionSite& site) const {
        return {*network_, interventions_, site, pass_.sites.at(site)};
    }

    static at::Tensor sumOfParts(const AttentionBlock& block, std::int64_t row) {
        return block.parts(row).sum(0) + block.residual(row) + block.constant(row);
    }

    void partsSumToResult() {
        QCOMPARE(pass_.sites.size(), std::size_t{6});
        for (const auto& [site, pass] : pass_.sites)
            for (std::int64_t row = 0; row < pass.weights.size(1); ++row)
                QVERIFY(difference(sumOfParts(block(site), row), block(site).result(row)) < 1e-5);
    }

  private Q_SLOTS:
    void init() { interventions_ = {}; }

    void partsOfABlockSumToItsResult_data() { schemes(); }
    void partsOfABlockSumToItsResult() {
        makeScheme();
        partsSumToResult();
    }

    void soTheyDoWhereHeadsAndSublayersAreScaled_data() { schemes(); }
    void soTheyDoWhereHeadsAndSublayersAreScaled() {
        using namespace headscope::trace;
        interventions_ = {{ScaleHead{.head = {{AttentionKind::Cross, 1}, 2}, .factor = 0.5},
                           ScaleHead{.head = {{AttentionKind::EncoderSelf, 0}, 0}},
                           ScaleSublayer{.sublayer = {SublayerKind::DecoderSelf, 0}, .factor = 0.25},
                           ScaleSublayer{.sublayer = {SublayerKind::Cross, 0}, .factor = 0}},
                          {},
                          random_network::smallConfig()};
        makeScheme();
        partsSumToResult();
    }

    void sharesSumToOneAndMaskedTokensHaveNone_data() { schemes(); }
    void sharesSumToOneAndMaskedTokensHaveNone() {
        makeScheme();
        for (const auto& [site, pass] : pass_.sites) {
            const auto shares = contributionsUpTo(*network_, interventions_, pass_, site, {});
            QVERIFY(difference(shares.sum(-1), at::ones({shares.size(0)})) < 1e-5);
            QVERIFY(shares.min().item<float>() >= 0);
            if (site.kind == AttentionKind::EncoderSelf) {
                QCOMPARE(shares.narrow(0, 0, 4).select(1, 4).abs().max().item<float>(), 0.0F); // padding
                continue;
            }
            QCOMPARE(shares.size(1), 9);
            QCOMPARE(shares.select(1, 4).abs().max().item<float>(), 0.0F);
            const auto target = shares.narrow(1, 5, 4);
            QVERIFY(at::equal(target, target.tril())); // later tokens
        }
    }

    void aSublayerWithoutOutputAddsNothing() {
        make(random_network::smallConfig());
        for (const auto& [role, parameter] : network_->parameters())
            if (role.find("cross.output") != role.npos)
                parameter.zero_();
        run();
        const auto shares =
            contributionsUpTo(*network_, interventions_, pass_, {AttentionKind::Cross, 1}, {});
        QCOMPARE(shares.narrow(1, 0, 5).abs().max().item<float>(), 0.0F);
        for (const auto& [role, parameter] : network_->parameters())
            if (role.find("decoder") != role.npos && role.find("self.output") != role.npos)
                parameter.zero_();
        run();
        const auto alone = contributionsOf(block({AttentionKind::DecoderSelf, 0}), {});
        QVERIFY(at::equal(alone.select(1, 4), at::ones({4}))); // everything comes from the stream
    }

    void rolloutIsTheProductOfHalvedMapsAndItsSourceShareIsNoFinding() {
        make(random_network::smallConfig());
        const auto half = [&](AttentionKind kind, int layer) {
            const auto mean = pass_.sites.at({kind, layer}).weights.mean(0);
            return 0.5 * mean + 0.5 * at::eye(mean.size(0));
        };
        const auto encoder =
            at::matmul(half(AttentionKind::EncoderSelf, 1), half(AttentionKind::EncoderSelf, 0));
        QVERIFY(difference(rolloutUpTo(pass_, {AttentionKind::EncoderSelf, 1}), encoder) < 1e-6);
        const auto whole = rolloutUpTo(pass_, {AttentionKind::Cross, 1});
        QVERIFY(difference(whole.sum(-1), at::ones({4})) < 1e-6);
        QVERIFY(difference(whole.narrow(1, 0, 5).sum(-1), at::full({4}, 0.75)) < 1e-6); // 1 - 2^-layers
        const auto first = rolloutUpTo(pass_, {AttentionKind::DecoderSelf, 0});
        QVERIFY(difference(first.narrow(1, 5, 4), half(AttentionKind::DecoderSelf, 0)) < 1e-6);
        QCOMPARE(first.narrow(1, 0, 5).abs().max().item<float>(), 0.0F);
    }

    void rolloutHasNothingOfPaddingNorOfLaterTokens() {
        make(random_network::smallConfig());
        for (const auto& [site, pass] : pass_.sites) {
            const auto shares = rolloutUpTo(pass_, site);
            QVERIFY(difference(shares.sum(-1), at::ones({shares.size(0)})) < 1e-6);
            // The row of the padding only depends on itself.
            const auto rows = site.kind == AttentionKind::EncoderSelf ? shares.narrow(0, 0, 4) : shares;
            QCOMPARE(rows.select(1, 4).abs().max().item<float>(), 0.0F);
            if (site.kind == AttentionKind::EncoderSelf)
                continue;
            const auto target = shares.narrow(1, 5, 4);
            QVERIFY(at::equal(target, target.tril()));
        }
    }

    void aReplacedHeadCannotBeTakenApart() {
        using namespace headscope::trace;
        make(random_network::smallConfig());
        const HeadAddress head{{AttentionKind::Cross, 0}, 1};
        interventions_ = {
            {ReplaceHead{.head = head}}, {{head, at::zeros({4})}}, random_network::smallConfig()};
        QVERIFY_EXCEPTION_THROWN(block(head.site), headscope::trace::Refusal);
        QCOMPARE(block({AttentionKind::Cross, 1}).rows(), 4);
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ContributionsTest)
#include "contributions_test.moc"

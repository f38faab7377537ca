#include <QTest>

#include "model/network/attention_mask.h"
#include "model/network/contributions.h"
#include "model/trace/refusal.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

using namespace headscope::network;
using headscope::trace::AttentionKind;
using headscope::trace::AttentionSite;
using random_network::ids;
namespace tests = headscope::tests;

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
        config.encoder.normScheme = config.decoder.normScheme = NormScheme(scheme);
        config.normKind = NormKind(norm);
        make(config);
    }

    AttentionBlock block(const AttentionSite& site) const {
        return {*network_, interventions_, site, pass_.sites.at(site)};
    }

    static at::Tensor sumOfParts(const AttentionBlock& block, std::int64_t row) {
        return block.parts(row).sum(0) + block.residual(row) + block.constant(row);
    }

    const at::Tensor& parameter(const std::string& role) const {
        return random_network::parameter(network_->parameters(), role);
    }

    /// The stream after a site from that before it, its weights and values. The network and the sum of the
    /// parts add the same products.
    tests::Bounded resultOf(const AttentionSite& site) const {
        using headscope::trace::SublayerKind;
        const auto& pass = pass_.sites.at(site);
        const auto& config = network_->config();
        const auto layer = (site.kind == AttentionKind::EncoderSelf ? "encoder." : "decoder.") +
                           std::to_string(site.layer) + ".";
        const bool isCross = site.kind == AttentionKind::Cross;
        const auto normed = [&](const tests::Bounded& x) {
            const auto role = layer + (isCross ? "norm_cross" : "norm_self");
            const bool hasBias = config.normKind != NormKind::RootMeanSquare;
            return tests::norm(x, config.normKind, config.stackOf(site.kind).normEpsilon,
                               parameter(role + ".gain"), hasBias ? parameter(role + ".bias") : at::Tensor());
        };
        const auto* const changes = interventions_.at(site);
        auto heads = pass.v.to(at::kDouble).clone();
        for (int head = 0; changes && head < heads.size(0); ++head)
            heads[head] *= changes->factor(head);
        const auto queries = pass.weights.size(1);
        const auto joined = [&](const at::Tensor& values) { // [queries, heads * d_k]
            return at::bmm(pass.weights.to(at::kDouble), values).transpose(0, 1).reshape({queries, -1});
        };
        const auto role = layer + (isCross ? "cross.output" : "self.output");
        const auto weight = parameter(role + ".weight").to(at::kDouble);
        const auto bias = parameter(role + ".bias").to(at::kDouble);
        // A product for each key, head and dimension, their factors, the bias, and the sum over the parts
        // with the stream; parts go through a norm one by one, which takes as many roundings as their width,
        // and four.
        const auto terms = pass.weights.size(2) + weight.size(1) + 4 + weight.size(0) + 4;
        const auto sizes = at::linear(joined(heads.abs()), weight.abs(), bias.abs());
        const tests::Bounded output{at::linear(joined(heads), weight, bias), tests::ofTerms(terms) * sizes,
                                    " sum of " + std::to_string(terms) + " products"};
        const auto kind = isCross                                   ? SublayerKind::Cross
                          : site.kind == AttentionKind::EncoderSelf ? SublayerKind::EncoderSelf
                                                                    : SublayerKind::DecoderSelf;
        const double factor = interventions_.sublayerFactor({kind, site.layer});
        const auto before = pass.before.to(at::kDouble);
        const tests::Bounded stream{before, tests::ofTerms(terms) * before.abs(), " the stream before"};
        switch (config.stackOf(site.kind).normScheme) {
        case NormScheme::Post:
            return normed(stream + factor * output);
        case NormScheme::PreNormedResidual:
            return normed(tests::Bounded(before)) + factor * output;
        case NormScheme::SublayerOutput:
            return stream + factor * normed(output);
        default:
            return stream + factor * output;
        }
    }

    void partsSumToResult() {
        QCOMPARE(pass_.sites.size(), std::size_t{6});
        for (const auto& [site, pass] : pass_.sites) {
            const auto limits = resultOf(site);
            for (std::int64_t row = 0; row < pass.weights.size(1); ++row) {
                VERIFY_AGREES(tests::compare("result", block(site).result(row), limits[row]));
                VERIFY_AGREES(tests::compare("sum of parts", sumOfParts(block(site), row), limits[row]));
            }
        }
    }

    /// Each sublayer is a product with a matrix of shares that sum to 1.
    static tests::Limit ofShares(const AttentionSite& site, const at::Tensor& shares) {
        const bool inEncoder = site.kind == AttentionKind::EncoderSelf;
        const int sublayers = inEncoder ? site.layer + 1 : 2 + 2 * (site.layer + 1);
        return tests::ofSum(static_cast<std::size_t>(sublayers * (shares.size(1) + 2)), 1);
    }

  private Q_SLOTS:
    void init() { interventions_ = {}; }

    void partsOfABlockSumToItsResult_data() { schemes(); }
    void partsOfABlockSumToItsResult() {
        makeScheme();
        partsSumToResult();
    }

    void aWeightThatIsAThousandthLargerShows_data() { schemes(); }
    void aWeightThatIsAThousandthLargerShows() {
        makeScheme();
        const AttentionSite site{AttentionKind::EncoderSelf, 0};
        const auto limits = resultOf(site);
        random_network::changeOneWeight(network_->parameters(), "encoder.0.self.value.weight");
        run();
        bool shows = false;
        for (std::int64_t row = 0; row < 4; ++row)
            shows = shows || !tests::compare("sum of parts", sumOfParts(block(site), row), limits[row]);
        QVERIFY(shows);
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
        for (const auto& [site, pass] : headscope::tests::some(pass_.sites)) {
            const auto shares = contributionsUpTo(*network_, interventions_, pass_, site, {});
            VERIFY_AGREES(tests::compare("sums of shares", shares.sum(-1), at::ones({shares.size(0)}),
                                         ofShares(site, shares)));
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
            const auto mean = pass_.sites.at({kind, layer}).weights.to(at::kDouble).mean(0);
            // The mean of three heads, and the sum with the stream's half.
            return tests::Bounded(0.5 * mean + 0.5 * at::eye(mean.size(0)), tests::ofTerms(4 + 1) * mean,
                                  " mean of 3 heads");
        };
        const auto encoder =
            tests::product(half(AttentionKind::EncoderSelf, 1), half(AttentionKind::EncoderSelf, 0));
        VERIFY_AGREES(
            tests::compare("encoder rollout", rolloutUpTo(pass_, {AttentionKind::EncoderSelf, 1}), encoder));
        const AttentionSite last{AttentionKind::Cross, 1};
        const auto whole = rolloutUpTo(pass_, last);
        VERIFY_AGREES(tests::compare("sums of shares", whole.sum(-1), at::ones({4}), ofShares(last, whole)));
        VERIFY_AGREES(tests::compare("shares of the source", whole.narrow(1, 0, 5).sum(-1),
                                     at::full({4}, 0.75), ofShares(last, whole))); // 1 - 2^-layers
        const auto first = rolloutUpTo(pass_, {AttentionKind::DecoderSelf, 0});
        VERIFY_AGREES(
            tests::compare("decoder rollout", first.narrow(1, 5, 4), half(AttentionKind::DecoderSelf, 0)));
        QCOMPARE(first.narrow(1, 0, 5).abs().max().item<float>(), 0.0F);
        random_network::changeOneWeight(network_->parameters(), "encoder.0.self.query.weight");
        run();
        QVERIFY(
            !tests::compare("encoder rollout", rolloutUpTo(pass_, {AttentionKind::EncoderSelf, 1}), encoder));
    }

    void rolloutHasNothingOfPaddingNorOfLaterTokens() {
        make(random_network::smallConfig());
        for (const auto& [site, pass] : headscope::tests::some(pass_.sites)) {
            const auto shares = rolloutUpTo(pass_, site);
            VERIFY_AGREES(tests::compare("sums of shares", shares.sum(-1), at::ones({shares.size(0)}),
                                         ofShares(site, shares)));
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

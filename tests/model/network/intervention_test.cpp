#include "model/network/intervention.h"
#include "model/network/multi_head_attention.h"
#include "model/network/sublayer.h"
#include "model/trace/refusal.h"
#include "tests/model/network/compared_tensors.h"
#include "tests/model/network/random_network.h"
#include "tests/registered_test.h"

#include <QTest>

#include <set>

using namespace headscope;
using namespace headscope::network;
using trace::AttentionKind;
using trace::AttentionSite;
using trace::Change;
using trace::HeadAddress;

namespace {

const AttentionSite site{AttentionKind::Cross, 1};
const HeadAddress head{site, 2};

Interventions with(const std::vector<Change>& changes, std::vector<HeadOutput> outputs = {}) {
    return {changes, std::move(outputs), random_network::smallConfig()};
}

at::Tensor random(at::IntArrayRef shape) {
    at::manual_seed(5);
    return at::randn(shape);
}

std::vector<std::int64_t> list(const at::Tensor& places) {
    return {places.data_ptr<std::int64_t>(), places.data_ptr<std::int64_t>() + places.size(0)};
}

std::string refused(const std::function<void()>& work) {
    try {
        work();
    } catch (const trace::Refusal& refusal) {
        return refusal.text().found;
    }
    return {};
}

} // namespace

class InterventionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void withoutChangesNothingIsAsked() {
        const Interventions none;
        QVERIFY(none.empty() && !none.at(site) && !none.liftsMask() && !none.touchesEncoder());
        QCOMPARE(none.scoreScale(0.25), 0.25);
        QCOMPARE(none.sublayerFactor({trace::SublayerKind::Cross, 0}), 1.0);
        QVERIFY(!none.places(0, 5, 5, 40).defined());
    }

    void aHeadThatIsOffIsItsColumnsOfTheOutputProjectionZeroed() {
        ParameterList parameters;
        const auto config = random_network::smallConfig();
        const MultiHeadAttention attention(parameters, "cross", config, config.decoder);
        random_network::fill(parameters.parameters());
        const auto x = random({5, 12});
        const auto mask = at::ones({5, 5}, at::kBool);
        random_network::Reports reports;
        const auto attend = [&](const Interventions& interventions) {
            return attention.attend(attention.queries(x), attention.keysValues(x), mask, site, 0,
                                    {.observer = &reports, .interventions = &interventions});
        };
        const auto plain = attend({});
        const auto off = attend(with({trace::ScaleHead{.head = head, .factor = 0}}));
        const auto allOff =
            attend(with({trace::ScaleHead{.head = {site, 0}}, trace::ScaleHead{.head = {site, 1}},
                         trace::ScaleHead{.head = {site, 2}}}));
        const auto& bias = random_network::parameter(parameters.parameters(), "cross.output.bias");
        const auto& weight = random_network::parameter(parameters.parameters(), "cross.output.weight");
        QVERIFY(at::equal(allOff, bias.expand({5, 12})));
        weight.narrow(1, 8, 4).zero_();
        QVERIFY(tests::largestSize(plain - off) > 0.1);
        const auto outputs = reports.outputs.front().transpose(0, 1).reshape({5, 12});
        const auto without = tests::linear(tests::Bounded(outputs), weight, bias);
        VERIFY_AGREES(tests::compare("without its columns", attend({}), without));
        VERIFY_AGREES(tests::compare("off", off, without));
        QVERIFY(at::equal(attend(with({trace::ScaleHead{.head = head, .factor = 1}})), attend({})));
    }

    void factorsOfOneHeadMultiply() {
        const auto outputs = random({3, 4, 4});
        const auto changes = with(
            {trace::ScaleHead{.head = head, .factor = 3}, trace::ScaleHead{.head = head, .factor = 0.5}});
        auto wanted = outputs.clone();
        wanted[2].mul_(1.5);
        QVERIFY(at::equal(changes.at(site)->outputs(outputs, 0), wanted));
        QVERIFY(!changes.at({AttentionKind::Cross, 0}));
    }

    void anOutputIsReplacedAndThenScaled() {
        const auto outputs = random({3, 4, 4});
        const auto mean = at::full({4}, 2.0F);
        const trace::ReplaceHead replace{.head = head};
        const auto byMean = with({trace::ScaleHead{.head = head, .factor = 0.5}, replace}, {{head, mean}});
        QVERIFY(at::equal(byMean.at(site)->outputs(outputs, 0)[2], at::ones({4, 4})));
        // Rows beyond those of the other sentence are unchanged.
        const auto rows = at::arange(12, at::kFloat).view({3, 4});
        const auto byRows = with({replace}, {{head, rows}});
        const auto whole = byRows.at(site)->outputs(outputs, 0)[2];
        QVERIFY(at::equal(whole.narrow(0, 0, 3), rows) && at::equal(whole[3], outputs[2][3]));
        const auto step = byRows.at(site)->outputs(outputs.narrow(1, 0, 1), 2)[2]; // query 2 alone
        QVERIFY(at::equal(step[0], rows[2]));
        QVERIFY(at::equal(byRows.at(site)->outputs(outputs, 3), outputs));
    }

    void aCellIsBlockedInItsHeadOnly() {
        const auto open = at::zeros({4, 5}, at::kBool);
        const auto changes = with({trace::BlockCell{.head = head, .query = 2, .key = 3}});
        const auto closed = changes.at(site)->closed(open, 3, 0); // [heads, queries, keys]
        QCOMPARE(closed.sum().item<std::int64_t>(), 1);
        QVERIFY(closed[2][2][3].item<bool>());
        const auto step = changes.at(site)->closed(open.narrow(0, 0, 1), 3, 2);
        QVERIFY(step[2][0][3].item<bool>());
        QVERIFY(at::equal(changes.at(site)->closed(open.narrow(0, 0, 1), 3, 3), open.narrow(0, 0, 1)));
        QVERIFY(at::equal(changes.at(site)->closed(open.narrow(1, 0, 3), 3, 0), open.narrow(1, 0, 3)));
    }

    void forcedRowsGiveWeightToAllowedKeysOnly() {
        const auto weights = at::tensor({0.25F, 0.375F, 0.375F, 0.0F}).expand({3, 1, 4}).contiguous();
        const auto closed = at::tensor({0, 0, 0, 1}).to(at::kBool).view({1, 4});
        const auto row = [&](trace::RowPattern pattern, std::size_t key = 0) {
            const auto changes = with({trace::ForceRow{.head = head, .pattern = pattern, .key = key}});
            return changes.at(site)->weights(weights, closed, 0)[2][0];
        };
        VERIFY_AGREES(tests::compare("uniform", row(trace::RowPattern::Uniform),
                                     at::tensor({1 / 3.0, 1 / 3.0, 1 / 3.0, 0.0}, at::kDouble),
                                     tests::ofRoundings(1, 1 / 3.0)));
        QVERIFY(at::equal(row(trace::RowPattern::Hard),
                          at::tensor({0.0F, 1.0F, 0.0F, 0.0F}))); // the first of two equal keys
        QVERIFY(at::equal(row(trace::RowPattern::Key, 2), at::tensor({0.0F, 0.0F, 1.0F, 0.0F})));
        for (const std::size_t key : {3, 4}) // masked, and non-existent
            QVERIFY(at::equal(row(trace::RowPattern::Key, key), weights[2][0]));
        const auto even = with({trace::ForceRow{.head = head}});
        QVERIFY(at::equal(even.at(site)->weights(weights, at::ones({1, 4}, at::kBool), 0), weights));
    }

    void scaleAndTemperatureGoTogether() {
        QCOMPARE(with({trace::SoftmaxTemperature{.temperature = 4}}).scoreScale(0.5), 0.125);
        QCOMPARE(with({trace::ScaleScores{}}).scoreScale(0.5), 1.0);
        const auto both =
            with({trace::ScaleScores{.factor = 3}, trace::SoftmaxTemperature{.temperature = 2}});
        QCOMPARE(both.scoreScale(0.5), 1.5);
        QVERIFY(both.touchesEncoder());
    }

    void theEncoderIsTouchedByWhatIsInIt() {
        const AttentionSite encoder{AttentionKind::EncoderSelf, 1};
        QVERIFY(with({trace::ScaleHead{.head = {encoder, 0}}}).touchesEncoder());
        QVERIFY(with({trace::ScaleSublayer{.sublayer = {trace::SublayerKind::EncoderFeedForward, 1}}})
                    .touchesEncoder());
        QVERIFY(!with({trace::ScaleHead{.head = head}, trace::LiftMask{}}).touchesEncoder());
    }

    void sublayersAreScaledInEveryScheme() {
        const auto config = random_network::smallConfig();
        ParameterList parameters;
        const Norm norm(parameters, "norm", config, config.decoder);
        for (const auto& [role, tensor] : parameters.parameters())
            tensor.fill_(role == "norm.weight" ? 1 : 0);
        const auto x = random({5, 12});
        const auto twice = [](const at::Tensor& y) { return 2 * y; };
        const auto sum = [&](NormScheme scheme, double factor) {
            return addSublayer(scheme, norm, &norm, x, factor, nullptr, twice);
        };
        QVERIFY(at::equal(sum(NormScheme::Pre, 0), x));
        QVERIFY(at::equal(sum(NormScheme::Post, 0), norm(x)));
        QVERIFY(at::equal(sum(NormScheme::PreNormedResidual, 0), norm(x)));
        QVERIFY(at::equal(sum(NormScheme::SublayerOutput, 0), x));
        QVERIFY(at::equal(sum(NormScheme::PreNormedResidual, 0.5), 2 * norm(x)));
        QVERIFY(at::equal(sum(NormScheme::SublayerOutput, 0.5), x + 0.5 * norm(2 * x)));
    }

    void addressesThatAreMissingAreRefusedTogether() {
        const std::vector<Change> changes{
            trace::ScaleHead{.head = head}, trace::ScaleHead{.head = {{AttentionKind::Cross, 2}, 0}},
            trace::BlockCell{.head = {{AttentionKind::EncoderSelf, 0}, 3}},
            trace::ScaleSublayer{.sublayer = {trace::SublayerKind::DecoderFeedForward, 2}},
            trace::LiftMask{}};
        QCOMPARE(refused([&] { with(changes); }), std::string("cross.2.0, encoder.0.3, decoder-ff.2"));
    }

    void placesAreLeftOutShiftedOrShuffled() {
        const auto places = [](trace::PositionChange change, std::int64_t number, std::int64_t first,
                               std::int64_t n, std::int64_t all) {
            return list(
                with({trace::ChangePositions{.change = change, .number = number}}).places(first, n, all, 40));
        };
        using enum trace::PositionChange;
        QCOMPARE(places(None, 0, 3, 2, 0), (std::vector<std::int64_t>{-1, -1}));
        QCOMPARE(places(Shift, 5, 3, 2, 0), (std::vector<std::int64_t>{8, 9}));
        for (const std::int64_t seed : {0, 1, 11}) {
            const auto source = places(Shuffle, seed, 0, 7, 7);
            QCOMPARE(std::set(source.begin(), source.end()).size(), 7U);
            QVERIFY(*std::max_element(source.begin(), source.end()) == 6);
            // One by one or all at once, each position of the table is used once; the last block is shorter.
            const auto target = places(Shuffle, seed, 0, 40, 0);
            QCOMPARE(std::set(target.begin(), target.end()).size(), 40U);
            for (std::int64_t i = 0; i < 40; ++i)
                QCOMPARE(places(Shuffle, seed, i, 1, 0).front(), target[static_cast<std::size_t>(i)]);
        }
        QVERIFY(places(Shuffle, 1, 0, 7, 7) != places(Shuffle, 2, 0, 7, 7));
    }

    void aShiftOutOfTheTableIsRefused() {
        const auto shifted = [](std::int64_t distance, std::int64_t first) {
            return refused([=] {
                with({trace::ChangePositions{.change = trace::PositionChange::Shift, .number = distance}})
                    .places(first, 4, 0, 40);
            });
        };
        QVERIFY(shifted(36, 0).empty() && shifted(-3, 3).empty());
        QCOMPARE(shifted(37, 0), std::string("places 0 to 3, shifted by 37"));
        QCOMPARE(shifted(-4, 3), std::string("places 3 to 6, shifted by -4"));
        QVERIFY(!shifted(std::numeric_limits<std::int64_t>::max(), 3).empty());
        QVERIFY(!shifted(std::numeric_limits<std::int64_t>::min(), 3).empty());
    }
};

HEADSCOPE_TEST(InterventionTest)
#include "intervention_test.moc"

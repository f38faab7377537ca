#include <QTest>

#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/changed_weight.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <cmath>

using namespace headscope;
using engines::source;
using engines::target;
using trace::AttentionKind;
using trace::MapQuantity;

namespace {} // namespace

/// Quantities other than weights and scores, computed by the engine.
class QuantityMapsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::QuantityMaps> maps(const trace::Request& request, MapQuantity quantity,
                                                    trace::AttentionSite site, std::size_t step = 0) {
        return engine_->of(request, trace::MapsWhat{.quantity = quantity, .site = site, .step = step});
    }

    /// log p(token) - log p(contrast) in a row, which equals the difference of the logits.
    double difference(const trace::Request& request, std::size_t row, std::int64_t token,
                      std::int64_t contrast) {
        const auto run = engine_->of(engines::recorded(request), trace::RunWhat());
        const auto& of = run->row(row).logProbabilities;
        return double(of[std::size_t(token)]) - double(of[std::size_t(contrast)]);
    }

  private Q_SLOTS:
    void initTestCase() { engine_ = engines::with(engines::tiny); }

    void anIndependentProgramComputesTheSame_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"annotated-tiny", "pi-tau-tiny", "torch-transformer-tiny-post-relu"})
            QTest::newRow(model) << model;
    }

    void anIndependentProgramComputesTheSame() {
        QFETCH(QString, model);
        const auto recorded = recordings::read("quantities/" + model.toStdString() + ".npz");
        const auto engine = engines::with(recordings::folder + model.toStdString());
        auto request = recordings::requestOf(model.toStdString(), recorded);
        request.ratherThan = "#" + std::to_string(recordings::integers(recorded, "contrast").front());
        const auto step = static_cast<std::size_t>(recordings::integers(recorded, "step").front());
        const std::map<std::string, MapQuantity> quantities{{"norm-weighted", MapQuantity::NormWeighted},
                                                            {"gradient", MapQuantity::GradientAttention},
                                                            {"rollout", MapQuantity::Rollout},
                                                            {"contribution", MapQuantity::Contribution}};
        const auto changed = model == "annotated-tiny"
                                 ? engines::withChangedWeight(engines::tiny, engines::queriesOfTiny)
                                 : nullptr;
        for (const auto& [name, quantity] : quantities)
            for (const auto kind :
                 {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross}) {
                const std::string array = name + "/" + std::string(trace::name(kind));
                const auto mapsOf = [&](engine::Engine& computing) {
                    std::vector<float> found;
                    for (int layer = 0; layer < static_cast<int>(recorded.at(array).shape[0]); ++layer) {
                        const auto maps = computing.of(
                            request,
                            trace::MapsWhat{.quantity = quantity, .site = {kind, layer}, .step = step});
                        found.insert(found.end(), maps->values.values().begin(), maps->values.values().end());
                    }
                    return found;
                };
                VERIFY_AGREES(recordings::compareWith(recorded, array, mapsOf(*engine)));
                if (changed)
                    QVERIFY2(!recordings::compareWith(recorded, array, mapsOf(*changed)), array.c_str());
            }
    }

    /// Root mean squares, rotated queries and keys, and keys that heads share.
    void anIndependentProgramComputesTheSameOfADecoderAlone() {
        const auto recorded = recordings::read("analyses/llama-tiny/analyses.npz");
        const auto engine = engines::with(recordings::folder + "hugging-face/llama-tiny");
        const auto request = recordings::requestOf("hugging-face/llama-tiny", recorded);
        const auto compared = [&](const char* array, MapQuantity quantity, std::size_t step,
                                  std::size_t first) {
            const auto& all = files::floatsOf(recorded.at(array));
            std::vector<float> found;
            for (int layer = 0; layer < 3; ++layer) {
                const auto maps =
                    engine->of(request, trace::MapsWhat{.quantity = quantity,
                                                        .site = {AttentionKind::DecoderSelf, layer},
                                                        .step = step});
                found.insert(found.end(), maps->values.values().begin(), maps->values.values().end());
            }
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first * found.size());
            return tests::compare(array, found,
                                  std::vector(begin, begin + static_cast<std::ptrdiff_t>(found.size())),
                                  recordings::limitOf(recorded, array));
        };
        VERIFY_AGREES(compared("decoder_self/norm_weighted", MapQuantity::NormWeighted, 0, 0));
        VERIFY_AGREES(compared("decoder_self/rollout", MapQuantity::Rollout, 0, 0));
        VERIFY_AGREES(compared("decoder_self/contributions", MapQuantity::Contribution, 0, 0));
        for (std::size_t step = 0; step < 10; ++step)
            VERIFY_AGREES(compared("decoder_self/gradient", MapQuantity::GradientAttention, step, step));
    }

    void theGradientOfAHeadSumsToItsGates_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("encoder") << int(AttentionKind::EncoderSelf);
        QTest::newRow("decoder") << int(AttentionKind::DecoderSelf);
        QTest::newRow("cross") << int(AttentionKind::Cross);
    }

    void theGradientOfAHeadSumsToItsGates() {
        QFETCH(int, kind);
        const trace::AttentionSite site{AttentionKind(kind), 0};
        constexpr std::size_t row = 3;
        auto request = engines::forced(source, target);
        request.ratherThan = "#7";
        const auto gradient = maps(request, MapQuantity::GradientAttention, site, row);
        QCOMPARE(gradient->step, row);
        QCOMPARE(gradient->contrast->id, 7);
        for (int head = 0; head < int(gradient->values.heads()); ++head) {
            double sum = 0;
            for (std::size_t r = 0; r < gradient->values.rows(); ++r)
                for (std::size_t c = 0; c < gradient->values.columns(); ++c)
                    sum += gradient->values(std::size_t(head), r, c);
            const auto at = [&](double gate) {
                auto gated = request;
                gated.interventions = {{trace::ScaleHead{.head = {site, head}, .factor = gate}}};
                return difference(gated, row, gradient->token->id, 7);
            };
            const auto derivative = [&](double step) { return (at(1 + step) - at(1 - step)) / (2 * step); };
            constexpr double step = 0.004; // small: a ReLU that turns over in between has no slope
            const double found = derivative(step);
            const tests::Limit truncation{std::abs(derivative(2 * step) - found),
                                          "what twice the step changes"};
            const auto rounding =
                1 / step * recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities");
            VERIFY_AGREES(tests::compare("gradient", sum, found, truncation + rounding));
        }
    }

    void laterRowsHaveNoGradient() {
        const auto gradient = maps(engines::forced(source, target), MapQuantity::GradientAttention,
                                   {AttentionKind::Cross, 1}, 2);
        QCOMPARE(gradient->values.rows(), target.size());
        for (std::size_t r = 3; r < target.size(); ++r)
            for (const float value : tests::some(gradient->values.head(0).row(r)))
                QCOMPARE(value, 0.0F);
    }

    void normWeightedMapsAreZeroWhereTheMaskIs() {
        auto request = engines::forced(source, target);
        request.padding.source = 2;
        const auto run = engine_->of(request, trace::RunWhat());
        for (const auto& record : tests::some(run->cross)) {
            const auto norms = maps(request, MapQuantity::NormWeighted, record.site);
            QCOMPARE(norms->mask, record.mask);
            QCOMPARE(norms->sourceColumns, source.size() + 2);
            for (std::size_t h = 0; h < record.weights.heads(); ++h)
                for (std::size_t r = 0; r < record.mask.rows(); ++r)
                    for (std::size_t c = 0; c < record.mask.columns(); ++c)
                        QCOMPARE(norms->values(h, r, c) > 0, record.weights(h, r, c) > 0);
        }
    }

    void rollOutsHaveSourceAndTargetSideBySide() {
        for (const auto quantity : {MapQuantity::Rollout, MapQuantity::Contribution}) {
            const auto shares = maps(engines::forced(source, target), quantity, {AttentionKind::Cross, 1});
            QCOMPARE(shares->values.heads(), std::size_t{1});
            QCOMPARE(shares->sourceColumns, source.size());
            QCOMPARE(shares->values.columns(), source.size() + target.size());
            for (std::size_t r = 0; r < shares->values.rows(); ++r) {
                double sum = 0;
                for (const float share : shares->values.head(0).row(r))
                    sum += share;
                VERIFY_AGREES(recordings::compareShares(sum, 6, shares->values.columns()));
            }
        }
    }

    void theModelIsUnharmedByGradients() {
        const auto request = engines::forced(source, target);
        const auto before = engine_->of(request, trace::RunWhat());
        maps(request, MapQuantity::GradientAttention, {AttentionKind::EncoderSelf, 0}, 1);
        const auto fresh = engines::with(engines::tiny);
        QVERIFY(engines::sameBits(*before, *fresh->of(request, trace::RunWhat())));
        QVERIFY(engines::sameBits(*before, *engine_->of(request, trace::RunWhat())));
    }

    void aStepThatIsNotThereIsRefused() {
        const auto request = engines::forced(source, target);
        const trace::AttentionSite site{AttentionKind::Cross, 0};
        QCOMPARE(maps(request, MapQuantity::GradientAttention, site, target.size() - 1)->step,
                 target.size() - 1);
        QVERIFY_EXCEPTION_THROWN(maps(request, MapQuantity::GradientAttention, site, target.size()),
                                 trace::Refusal);
    }

    void aClassifiersGradientIsOfTheClassThatIsAskedFor() {
        const auto classifier = engines::with(recordings::folder + std::string("imdb-classifier-tiny"));
        trace::Request request;
        request.source = trace::SourceIds{{5, 6, 7, 8, 9, 10, 11}};
        const auto run = classifier->of(request, trace::RunWhat());
        const auto classes = run->classLogProbabilities.size();
        QVERIFY(classes > 1);
        const trace::AttentionSite site{AttentionKind::EncoderSelf, 0};
        std::vector<std::vector<float>> all;
        for (std::size_t chosen = 0; chosen < classes; ++chosen) {
            const auto gradient = classifier->of(
                request,
                trace::MapsWhat{.quantity = MapQuantity::GradientAttention, .site = site, .step = chosen});
            QCOMPARE(gradient->step, chosen);
            QCOMPARE(gradient->token->id, static_cast<std::int64_t>(chosen));
            all.emplace_back(gradient->values.values().begin(), gradient->values.values().end());
        }
        QVERIFY(all[0] != all[1]);
        QVERIFY_EXCEPTION_THROWN(
            classifier->of(
                request,
                trace::MapsWhat{.quantity = MapQuantity::GradientAttention, .site = site, .step = classes}),
            trace::Refusal);
    }

    void aSiteThatIsNotThereIsRefused() {
        try {
            maps(engines::forced(source, target), MapQuantity::Rollout, {AttentionKind::Cross, 7});
            QFAIL("it was not refused");
        } catch (const trace::Refusal& refusal) {
            QCOMPARE(refusal.text().where, std::string("cross.7"));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, QuantityMapsTest)
#include "quantity_maps_test.moc"

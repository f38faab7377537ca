#include <QTest>

#include "model/analysis/architecture/architecture_blocks.h"
#include "model/analysis/maps/cell_arithmetic.h"
#include "model/analysis/maps/recomputed_map.h"
#include "model/analysis/maps/why_masked.h"
#include "model/text/hugging_face/hugging_face_tokenizer.h"
#include "tests/model/engine/compared_cells.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace headscope;
using trace::AttentionKind;

/// Every decoder in `tests/reference/hugging-face` against what `transformers` computed with it, those in
/// `llama-original` against their makers' program, and the analyses of each. Those in `gguf` have the numbers
/// that their blocks stand for.
class DecodersTest : public QObject {
    Q_OBJECT

    using Ids = std::vector<std::int64_t>;

    static void eachModel() {
        QTest::addColumn<QString>("model");
        for (const std::string folders : {"hugging-face", "llama-original", "gguf"})
            for (const auto& entry : std::filesystem::directory_iterator(recordings::folder + folders)) {
                const auto name = entry.path().filename().string();
                if (!std::filesystem::exists(entry.path() / "trace.npz"))
                    continue;
                const auto recorded = recordings::read(folders + "/" + name + "/trace.npz");
                if (recorded.contains("decoder_self/weights") && !recorded.contains("cross/weights"))
                    QTest::newRow(name.c_str()) << QString::fromStdString(folders + "/" + name);
            }
    }

    static std::unique_ptr<engine::Engine> opened(const QString& model) {
        return engines::with(recordings::folder + model.toStdString());
    }

    static trace::Request recordedRequest(const QString& model) {
        return recordings::requestOf(model.toStdString(),
                                     recordings::read(model.toStdString() + "/trace.npz"));
    }

    /// The masks of all layers, or of the first one only.
    static std::vector<std::uint8_t> masksOf(const trace::Run& run, bool ofEveryLayer) {
        std::vector<std::uint8_t> masks;
        for (const auto& record : run.decoder)
            if (ofEveryLayer || masks.empty())
                masks.insert(masks.end(), record.mask.values().begin(), record.mask.values().end());
        return masks;
    }

  private Q_SLOTS:
    void everyNumberIsAsTransformersComputesIt_data() { eachModel(); }
    void everyNumberIsAsTransformersComputesIt() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto recorded = recordings::read(model.toStdString() + "/trace.npz");
        const auto run = engine->of(recordedRequest(model), trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(recorded, *run));
        QCOMPARE(trace::idsOf(run->next), recordings::integers(recorded, "next_ids"));
        if (const auto mask = recorded.find("decoder_self/mask"); mask != recorded.end())
            QVERIFY(std::ranges::equal(
                masksOf(*run, mask->second.shape.size() == 3), mask->second.bytes,
                [](auto found, auto stored) { return (found != 0) == (stored != std::byte{0}); }));
        QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
        QVERIFY(engine->open({.path = recordings::folder + model.toStdString()}, {})->ignoredTensors.empty());
    }

    void itsSearchesAreThoseOfGenerate_data() { eachModel(); }
    void itsSearchesAreThoseOfGenerate() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto summary = engine->open({.path = recordings::folder + model.toStdString()}, {});
        const auto recorded = recordings::readJson(model.toStdString() + "/generate.json");
        for (const auto& search : tests::some(recorded.at("searches"))) {
            auto asked = engines::greedy(recorded.at("prompt").get<Ids>(), 9);
            asked.decoding = summary->decoding;
            const auto& options = search.at("options");
            asked.decoding.beam = options.value("num_beams", 1);
            asked.decoding.lengthPenalty = options.value("length_penalty", 1.0);
            asked.decoding.rule = options.value("early_stopping", false) ? trace::BeamRule::GenerateEarly
                                                                         : trace::BeamRule::GenerateHeuristic;
            const auto run = engine->of(asked, trace::RunWhat());
            auto ids = engines::outputOf(*run);
            ids.insert(ids.begin(), run->target.front().id);
            QCOMPARE(ids, search.at("ids").get<Ids>());
            QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
        }
    }

    /// Whether the tokens are read at once, or a few at a time.
    void routersChooseAsThoseOfTransformers_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("longestMap");
        for (const char* name : {"mixtral-tiny", "qwen2-moe-tiny", "qwen3-moe-tiny"})
            for (const int longest : {0, 5})
                QTest::addRow("%s %d", name, longest) << QString("hugging-face/") + name << longest;
    }
    void routersChooseAsThoseOfTransformers() {
        QFETCH(QString, model);
        QFETCH(int, longestMap);
        const auto engine = opened(model);
        const auto recorded = recordings::read(model.toStdString() + "/trace.npz");
        auto asked = recordedRequest(model);
        asked.recording.longestMap = longestMap;
        const auto routing = engine->of(asked, trace::RoutingWhat());
        Ids chosen;
        std::vector<float> weights;
        for (const auto& layer : routing->layers) {
            chosen.insert(chosen.end(), layer.experts.begin(), layer.experts.end());
            weights.insert(weights.end(), layer.weights.begin(), layer.weights.end());
        }
        const auto& shape = recorded.at("experts/chosen").shape;
        QCOMPARE(std::ssize(routing->layers), shape[0]);
        QCOMPARE(std::int64_t{routing->used}, shape[2]);
        QCOMPARE(chosen, recordings::integers(recorded, "experts/chosen"));
        VERIFY_AGREES(recordings::compareWith(recorded, "experts/router_weights", weights));
    }

    void layersWithoutExpertsHaveNoRouter() {
        const auto layersOf = [](const char* model) {
            const auto engine = opened(model);
            std::vector<int> layers;
            const auto routing = engine->of(recordedRequest(model), trace::RoutingWhat());
            for (const auto& layer : routing->layers)
                layers.push_back(layer.layer);
            return layers;
        };
        QCOMPARE(layersOf("hugging-face/mixtral-tiny"), (std::vector{0, 1}));
        QCOMPARE(layersOf("hugging-face/qwen2-moe-tiny"), (std::vector{0, 2}));
        QCOMPARE(layersOf("hugging-face/qwen3-moe-tiny"), (std::vector{1, 3}));
    }

    void aModelWithoutExpertsSaysSo() {
        const auto engine = opened("hugging-face/llama-tiny");
        const auto asked = recordedRequest("hugging-face/llama-tiny");
        QVERIFY_EXCEPTION_THROWN(engine->of(asked, trace::RoutingWhat()), trace::Refusal);
    }

    /// The arithmetic of a cell, from queries and keys as they are recorded, arrives at the recorded score
    /// and weight.
    void everyCellIsTheArithmeticOfItsVectors_data() { eachModel(); }
    void everyCellIsTheArithmeticOfItsVectors() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto run = engine->of(recordedRequest(model), trace::RunWhat());
        for (std::size_t layer = 0; layer < tests::some(run->decoder).size(); ++layer)
            for (std::size_t query = 0; query < tests::some(run->target).size(); ++query) {
                const trace::HeadAddress head{{AttentionKind::DecoderSelf, static_cast<int>(layer)}, 1};
                const auto cell = analysis::cellArithmetic(*run, *run, head, query, query / 2);
                QVERIFY(cell);
                VERIFY_AGREES(engines::compareScore(*cell));
                VERIFY_AGREES(engines::compareWeight(*cell, *run));
            }
    }

    void keysBeforeAWindowAreMaskedForThatReason() {
        const auto engine = opened("hugging-face/qwen2-tiny");
        const auto run = engine->of(recordedRequest("hugging-face/qwen2-tiny"), trace::RunWhat());
        const auto why = [&](int layer, std::size_t query, std::size_t key) {
            return analysis::whyClosed(*run, {{AttentionKind::DecoderSelf, layer}, 0}, query, key);
        };
        QVERIFY(!why(0, 9, 1));
        QVERIFY(why(1, 9, 5) == analysis::WhyMasked::OutsideWindow);
        QVERIFY(!why(1, 9, 6));
        QVERIFY(why(1, 5, 9) == analysis::WhyMasked::LaterToken);
    }

    void mapsThatAreNotStoredAreRecomputed_data() { eachModel(); }
    void mapsThatAreNotStoredAreRecomputed() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        auto asked = recordedRequest(model);
        const auto stored = engine->of(asked, trace::RunWhat());
        asked.recording.longestMap = 1;
        const auto other = engine->of(asked, trace::RunWhat());
        for (std::size_t layer = 0; layer < tests::some(stored->decoder).size(); ++layer) {
            QVERIFY(other->decoder[layer].isRecomputed());
            const auto again = analysis::withMaps(other->decoder[layer], {});
            QVERIFY(again.mask == stored->decoder[layer].mask);
            VERIFY_AGREES(recordings::compareOurs(model.toStdString(), "scores", "scores",
                                                  again.scores.values(),
                                                  stored->decoder[layer].scores.values()));
            VERIFY_AGREES(recordings::compareWeights(model.toStdString(), "weights", again.weights.values(),
                                                     stored->decoder[layer].weights.values(),
                                                     stored->decoder[layer].scores.values()));
        }
    }

    /// What the parts are that a logit is split into, and the reason where it cannot be split.
    void logitsAreSplitOrItIsSaidWhyNot_data() { eachModel(); }
    void logitsAreSplitOrItIsSaidWhyNot() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto lens = engine->of(recordedRequest(model), trace::LensWhat());
        QCOMPARE(lens->attributions.empty(), !lens->whyNoAttribution.empty());
        for (const auto& attribution : lens->attributions) {
            VERIFY_AGREES(recordings::compareParts(model.toStdString(), attribution));
        }
    }

    /// What a head writes is made of the values and of its columns of the output projection: with one head
    /// off, the stream after the sublayer lacks just that.
    void contributionsMakeUpTheSublayersOutput_data() { eachModel(); }
    void contributionsMakeUpTheSublayersOutput() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto asked = recordedRequest(model);
        const auto run = engine->of(asked, trace::RunWhat());
        const std::size_t row = run->target.size() - 1;
        const int heads = static_cast<int>(run->decoder.front().heads());
        for (int layer = 0; layer < static_cast<int>(run->decoder.size()); ++layer) {
            std::vector<double> sum, sizes;
            std::shared_ptr<const trace::RowContributions> last;
            for (int head = 0; head < heads; ++head) {
                last =
                    engine->of(asked, trace::ContributionsWhat{
                                          .head = {{AttentionKind::DecoderSelf, layer}, head}, .query = row});
                sum.resize(last->sublayer.size());
                sizes.resize(sum.size());
                for (std::size_t key = 0; key < last->added.rows(); ++key)
                    for (std::size_t d = 0; d < sum.size(); ++d) {
                        sum[d] += static_cast<double>(last->added(key, d));
                        sizes[d] += std::abs(static_cast<double>(last->added(key, d)));
                    }
            }
            for (std::size_t d = 0; d < tests::some(sum).size(); ++d) {
                const double all = sum[d] + (last->bias.empty() ? 0.0 : static_cast<double>(last->bias[d]));
                VERIFY_AGREES(tests::compare("what the sublayer adds", all, last->sublayer[d],
                                             recordings::Precision::of(model.toStdString())
                                                 .twoOfOurs("heads", std::max(sizes[d], std::abs(all)))));
            }
        }
    }

    void quantitiesHold_data() { eachModel(); }
    void quantitiesHold() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto asked = recordedRequest(model);
        const auto run = engine->of(asked, trace::RunWhat());
        const trace::AttentionSite site{AttentionKind::DecoderSelf,
                                        static_cast<int>(run->decoder.size()) - 1};
        for (const auto quantity : {trace::MapQuantity::Rollout, trace::MapQuantity::Contribution}) {
            const auto maps = engine->of(asked, trace::MapsWhat{.quantity = quantity, .site = site});
            QCOMPARE(maps->values.rows(), run->target.size());
            for (std::size_t row = 0; row < maps->values.rows(); ++row) {
                double sum = 0;
                for (std::size_t key = 0; key < maps->values.columns(); ++key)
                    sum += static_cast<double>(maps->values(0, row, key));
                VERIFY_AGREES(
                    recordings::compareShares(sum, 2 * run->decoder.size(), maps->values.columns()));
            }
        }
        const std::size_t step = run->target.size() - 1;
        const auto gradient = engine->of(
            asked,
            trace::MapsWhat{.quantity = trace::MapQuantity::GradientAttention, .site = site, .step = step});
        const auto norms =
            engine->of(asked, trace::MapsWhat{.quantity = trace::MapQuantity::NormWeighted, .site = site});
        const auto& mask = run->decoder.back().mask;
        for (std::size_t head = 0; head < norms->values.heads(); ++head)
            for (std::size_t row = 0; row < mask.rows(); ++row)
                for (std::size_t key = 0; key < mask.columns(); ++key)
                    if (!mask(row, key)) {
                        QCOMPARE(norms->values(head, row, key), 0.0F);
                        QCOMPARE(gradient->values(head, row, key), 0.0F);
                    }
    }

    /// The gradient of a logit along a head's factor, from maps, is how far the logit goes if the factor
    /// changes a little.
    void gradientsAreThoseOfTheLogit_data() { eachModel(); }
    void gradientsAreThoseOfTheLogit() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        auto asked = recordedRequest(model);
        const auto run = engine->of(asked, trace::RunWhat());
        const std::size_t step = run->target.size() - 1;
        const auto chosen = run->next[step].id;
        const std::int64_t other = chosen == 3 ? 4 : 3;
        asked.ratherThan = "#" + std::to_string(other);
        const int layer = static_cast<int>(run->decoder.size()) - 1;
        const auto maps = engine->of(asked, trace::MapsWhat{.quantity = trace::MapQuantity::GradientAttention,
                                                            .site = {AttentionKind::DecoderSelf, layer},
                                                            .step = step});
        const auto difference = [&](double factor) { // of two logits
            auto scaled = asked;
            scaled.interventions = {
                {trace::ScaleHead{.head = {{AttentionKind::DecoderSelf, layer}, 1}, .factor = factor}}};
            const auto changed = engine->of(scaled, trace::RunWhat());
            const auto& values = changed->row(step).logProbabilities;
            return static_cast<double>(values[static_cast<std::size_t>(chosen)]) -
                   static_cast<double>(values[static_cast<std::size_t>(other)]);
        };
        constexpr double little = 1e-2;
        const auto slopeOver = [&](double step) {
            return (difference(1 + step) - difference(1 - step)) / (2 * step);
        };
        const double slope = slopeOver(little);
        const tests::Limit truncation{std::abs(slopeOver(2 * little) - slope), "what twice the step changes"};
        const auto rounding =
            1 / little * recordings::Precision::of(model.toStdString()).twoOfOurs("log_probabilities");
        double sum = 0;
        for (std::size_t row = 0; row < maps->values.rows(); ++row)
            for (std::size_t key = 0; key < maps->values.columns(); ++key)
                sum += static_cast<double>(maps->values(1, row, key));
        VERIFY_AGREES(tests::compare("gradient", sum, slope, truncation + rounding));
    }

    void everyHeadAndSublayerIsMeasured_data() { eachModel(); }
    void everyHeadAndSublayerIsMeasured() {
        QFETCH(QString, model);
        const auto engine = opened(model);
        const auto asked = recordedRequest(model);
        const auto summary = engine->open({.path = recordings::folder + model.toStdString()}, {});
        const auto layers = static_cast<std::size_t>(summary->decoderLayers);
        QCOMPARE(engine->of(asked, trace::FlowWhat())->sublayers.size(), 2 * layers);
        QCOMPARE(engine->of(asked, trace::ImportanceWhat())->effects.size(),
                 layers * static_cast<std::size_t>(summary->decoderHeads));
    }

    void everyParameterStandsInABlock_data() { eachModel(); }
    void everyParameterStandsInABlock() {
        QFETCH(QString, model);
        const auto engine = engines::start();
        const auto summary = engine->open({.path = recordings::folder + model.toStdString()}, {});
        const auto made = analysis::architectureOf(*summary);
        std::int64_t parameters = 0;
        for (const auto& block : made.target)
            parameters += block.parameters;
        QCOMPARE(parameters, summary->parameters);
    }

    void aConvertedFolderIsTheSameModel_data() { eachModel(); }
    void aConvertedFolderIsTheSameModel() {
        QFETCH(QString, model);
        const QTemporaryDir folder;
        const auto engine = opened(model);
        const auto asked = recordedRequest(model);
        const auto before = engine->of(asked, trace::RunWhat());
        engine->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto summary = engine->open({.path = folder.path().toStdString()}, {});
        const auto after = engine->of(asked, trace::RunWhat());
        for (std::size_t layer = 0; layer < before->decoder.size(); ++layer) {
            if (summary->bytes == before->model->bytes)
                QVERIFY(before->decoder[layer].weights == after->decoder[layer].weights);
            else // products with matrices of 16 bits are rounded in another order
                VERIFY_AGREES(recordings::compareWeights(
                    model.toStdString(), "weights", after->decoder[layer].weights.values(),
                    before->decoder[layer].weights.values(), before->decoder[layer].scores.values()));
            QVERIFY(before->decoder[layer].mask == after->decoder[layer].mask);
        }
        QCOMPARE(trace::idsOf(before->next), trace::idsOf(after->next));
    }

    void aGgufFileHasItsTokenizerAndSoHasItsConvertedFolder() {
        const QTemporaryDir folder;
        const auto engine = opened("gguf/qwen2-tiny");
        engine->convert(folder.path().toStdString(), files::ElementType::BFloat16, {});
        const std::string sentence = "Hello 123 world";
        const auto own = text::openHuggingFaceTokenizer(recordings::folder + "tokenizers/qwen2");
        for (const auto& again : {std::string(), folder.path().toStdString()}) {
            if (!again.empty())
                engine->open({.path = again}, {});
            auto asked = engines::greedy({}, 3);
            asked.source = sentence;
            const auto run = engine->of(asked, trace::RunWhat());
            auto ids = trace::idsOf(run->target);
            const auto prompt = trace::idsOf(own->encode(sentence));
            ids.resize(prompt.size());
            QCOMPARE(ids, prompt);
        }
    }

    void itsConfigurationMakesARandomModel_data() { eachModel(); }
    void itsConfigurationMakesARandomModel() {
        QFETCH(QString, model);
        const QTemporaryDir folder;
        const auto engine = opened(model);
        engine->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto trained = engine->open({.path = folder.path().toStdString()}, {});
        const auto random =
            engine->open({.path = folder.path().toStdString() + "/config.json", .randomSeed = 1}, {});
        QCOMPARE(random->parameters, trained->parameters);
        for (const auto& flag : random->architecture)
            if (flag.first != "format")
                QVERIFY2(std::ranges::count(trained->architecture, flag) == 1, flag.first.c_str());
        QVERIFY(!engine->of(recordedRequest(model), trace::RunWhat())->decoder.empty());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, DecodersTest)
#include "decoders_test.moc"

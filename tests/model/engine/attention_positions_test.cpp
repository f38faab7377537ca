#include <QTest>

#include "model/analysis/positions/rotation_curve.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/compared_cells.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

using namespace headscope;
using recordings::readJson;
using trace::AttentionKind;
using trace::CheckState;

namespace {

const std::array<std::string, 2> positionedModels{"relative-tiny", "rotary-tiny"};

} // namespace

/// Positions within self-attention, compared with an independent implementation and with the definitions.
class AttentionPositionsTest : public QObject {
    Q_OBJECT

    static void eachModel() {
        QTest::addColumn<QString>("model");
        for (const auto& model : positionedModels)
            QTest::newRow(model.c_str()) << QString::fromStdString(model);
    }

  private Q_SLOTS:
    void everyRecordingOfAChangeAgrees_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("change");
        for (const auto& model : positionedModels) {
            const auto changes = readJson(model + "/changes.json");
            for (const auto& [change, words] : changes.items())
                QTest::addRow("%s %s", model.c_str(), change.c_str())
                    << QString::fromStdString(model) << QString::fromStdString(change);
        }
    }
    void everyRecordingOfAChangeAgrees() {
        QFETCH(const QString, model);
        QFETCH(const QString, change);
        const auto name = model.toStdString();
        const auto reference = recordings::read(name + "/trace-" + change.toStdString() + ".npz");
        const auto changes = readJson(name + "/changes.json");
        const auto request =
            engines::changed(recordings::requestOf(name, reference), changes.at(change.toStdString()));
        const auto run = engines::with(recordings::folder + name)->of(request, trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(reference, *run));
        for (const char* mask : {"encoder_self/mask", "decoder_self/mask", "cross/mask"})
            QVERIFY2(
                std::ranges::equal(reference.at(mask).bytes, recordings::maskOf(*run, mask),
                                   [](std::byte a, std::uint8_t b) { return std::to_integer<int>(a) == b; }),
                mask);
        QVERIFY(run->selfCheck.cachedEqualsFullPass.state == CheckState::Ok);
    }

    void aBranchReusesTheKeysWhereTheyStand_data() { eachModel(); }
    void aBranchReusesTheKeysWhereTheyStand() {
        QFETCH(const QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const std::vector<std::int64_t> source{9, 4, 16, 7, 3};
        const auto request = engines::forced(source, {2, 14, 6, 11, 8, 21});
        engine->of(engines::forced(source, {2, 14, 6, 9, 9, 9, 9}), trace::RunWhat());
        const auto after = engine->of(request, trace::RunWhat());
        const auto fresh =
            engines::with(recordings::folder + model.toStdString())->of(request, trace::RunWhat());
        for (std::size_t layer = 0; layer < tests::some(fresh->decoder).size(); ++layer)
            VERIFY_AGREES(recordings::compareOurs(model.toStdString(), "scores", "scores of the decoder",
                                                  after->decoder[layer].scores.values(),
                                                  tests::some(fresh->decoder[layer].scores.values())));
    }

    void convertedModelsHaveNoLimitOfPositions_data() { eachModel(); }
    void convertedModelsHaveNoLimitOfPositions() {
        QFETCH(const QString, model);
        const QTemporaryDir folder;
        const auto engine = engines::with(recordings::folder + model.toStdString());
        engine->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto summary = engine->open({.path = folder.path().toStdString()}, {});
        QCOMPARE(summary->maximumPositions, std::int64_t{0});
        QVERIFY(!summary->sourcePositions && !summary->targetPositions);
    }

    void randomModelsOfAnyShapeCanBeMade_data() { eachModel(); }
    void randomModelsOfAnyShapeCanBeMade() {
        QFETCH(const QString, model);
        const auto engine = engines::start();
        const auto path = recordings::folder + model.toStdString() + "/config.json";
        const auto summary = engine->open({.path = path, .randomSeed = 3}, {});
        QVERIFY(summary->positionKind == (model.startsWith("relative") ? trace::PositionKind::DistanceBias
                                                                       : trace::PositionKind::Rotation));
        const std::vector<std::int64_t> source{9, 4, 16, 7, 3};
        const auto run = engine->of(engines::greedy(source), trace::RunWhat());
        QVERIFY(run->selfCheck.cachedEqualsFullPass.state == CheckState::Ok);
    }

    void aBiasByDistanceIsATermInEveryLayer() {
        const auto reference = recordings::read("relative-tiny/trace.npz");
        const auto engine = engines::with(recordings::folder + "relative-tiny");
        const auto request = recordings::requestOf("relative-tiny", reference);
        const auto run = engine->of(request, trace::RunWhat());
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf})
            for (int layer = 0; layer < 2; ++layer) {
                const auto terms = engine->of(request, trace::ScoreTermsWhat{.site = {kind, layer}});
                QCOMPARE(terms->terms.size(), std::size_t{2});
                const auto& record = *run->record({kind, layer});
                QVERIFY(record.scores.rows() > 1 && record.mask(1, 0));
                const auto& bias =
                    kind == AttentionKind::EncoderSelf ? *run->model->encoderBias : *run->model->decoderBias;
                for (std::size_t h = 0; h < record.scores.heads(); ++h)
                    for (std::size_t i = 0; i < record.scores.rows(); ++i)
                        for (std::size_t j = 0; j < record.scores.columns(); ++j) {
                            double content = 0, sizes = 0; // q k, unscaled as in T5
                            for (std::size_t d = 0; d < record.q.columns(); ++d) {
                                content += double(record.q(h, i, d)) * double(record.k(h, j, d));
                                sizes += std::abs(double(record.q(h, i, d)) * double(record.k(h, j, d)));
                            }
                            // The score less the bias.
                            const double score = std::abs(double{record.scores(h, i, j)});
                            VERIFY_AGREES(
                                tests::compare("content", terms->terms[0].values(h, i, j), content,
                                               tests::ofSum(record.q.columns(), sizes) +
                                                   tests::ofRoundings(2, score + std::abs(content))));
                            const auto offset = static_cast<int>(j) - static_cast<int>(i);
                            if (record.mask(i, j))
                                QCOMPARE(terms->terms[1].values(h, i, j),
                                         bias.values(h, static_cast<std::size_t>(offset - bias.first)));
                        }
            }
    }

    void theArithmeticOfACellIsThatOfTheMap_data() { eachModel(); }
    void theArithmeticOfACellIsThatOfTheMap() {
        QFETCH(const QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = engines::recorded(engines::forced({9, 4, 16, 7, 3}, {2, 14, 6, 11, 8, 21}));
        for (const auto& words : std::vector<std::vector<std::string>>{
                 {}, {"--positions", "none"}, {"--positions", "shift:2", "--softmax-temperature", "0.6"}}) {
            const auto run = engine->of(engines::changed(request, words), trace::RunWhat());
            for (const auto kind :
                 {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf, AttentionKind::Cross})
                for (const std::size_t key : {std::size_t{0}, std::size_t{3}}) {
                    const auto cell = analysis::cellArithmetic(*run, *run, {{kind, 1}, 2}, 4, key);
                    VERIFY_AGREES(engines::compareScore(*cell));
                    VERIFY_AGREES(engines::compareWeight(*cell, *run));
                }
        }
    }

    void aTurnedScoreDependsOnTheDistanceAsTheCurveSays_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("halves") << "rotary-tiny";
        QTest::newRow("interleaved") << "llama-original/llama3-tiny";
    }
    void aTurnedScoreDependsOnTheDistanceAsTheCurveSays() {
        QFETCH(QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = engines::recorded(engines::forced({9, 4, 16, 7, 3}, {2, 14, 6, 11, 8, 21}));
        const auto run = engine->of(request, trace::RunWhat());
        const auto unturned =
            engine->of(engines::changed(request, {"--positions", "none"}), trace::RunWhat());
        const auto& precision = recordings::Precision::of(model.toStdString());
        for (const auto kind : {AttentionKind::EncoderSelf, AttentionKind::DecoderSelf})
            for (std::size_t query = 0; query < 5 && run->record({kind, 0}); ++query)
                for (std::size_t key = 0; key <= query; ++key) {
                    const auto curve = analysis::rotationCurve(*run, {{kind, 0}, 1}, query, key, 20);
                    const auto at = [&](int distance) { return curve.values.at(std::size_t(distance + 20)); };
                    QCOMPARE(curve.own, int(key) - int(query));
                    const auto limit = precision.twoOfOurs("scores");
                    VERIFY_AGREES(tests::compare("score at its distance", at(curve.own), curve.score, limit));
                    // As if both were at the same position: no rotation.
                    const double content = unturned->record({kind, 0})->scores(1, query, key);
                    VERIFY_AGREES(tests::compare("score at distance 0", at(0), content, limit));
                }
    }

    void turnedScoresAreNoSum() {
        const auto engine = engines::with(recordings::folder + "rotary-tiny");
        try {
            engine->of(engines::greedy({9, 4, 3}),
                       trace::ScoreTermsWhat{.site = {AttentionKind::EncoderSelf, 0}});
            QFAIL("it was not refused");
        } catch (const trace::Refusal& refusal) {
            QCOMPARE(refusal.text().found, std::string("one that turns queries and keys by their place"));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, AttentionPositionsTest)
#include "attention_positions_test.moc"

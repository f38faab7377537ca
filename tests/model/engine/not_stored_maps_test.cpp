#include <QTest>

#include "model/analysis/maps/recomputed_map.h"
#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/compared_maps.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace headscope;
using engines::recordsOf;
using engines::where;
using recordings::compareOurs;
using trace::AttentionRecord;
using trace::CheckState;

namespace {

const std::array<std::string, 8> models{
    "annotated-tiny", "marian-tiny",         "pi-tau-tiny",          "rotary-tiny",
    "relative-tiny",  "nyu-classifier-tiny", "imdb-classifier-tiny", "annotated-tiny-shared-attention"};

/// The recorded changes, and all other changes of attention.
nlohmann::json changesOf(const std::string& model) {
    std::ifstream file(recordings::folder + model + "/changes.json");
    auto changes = file ? nlohmann::json::parse(file) : nlohmann::json::object();
    changes["hotter"] = {"--softmax-temperature", "2.5"};
    changes["unscaled"] = {"--no-scaling"};
    changes["scaled"] = {"--score-scale", "0.3"};
    changes["encoder"] = {"--block",     "encoder.0.0:1,0",       "--block",     "encoder.0.1:2,1",
                          "--force-row", "encoder.0.0:2=uniform", "--force-row", "encoder.0.1:0=argmax",
                          "--force-row", "encoder.0.1:1=2"};
    if (model.find("classifier") != std::string::npos)
        return changes;
    changes["decoder"] = {"--block",     "decoder.0.1:2,1", "--force-row", "decoder.0.0:2=uniform",
                          "--block",     "cross.0.0:1,0",   "--force-row", "cross.0.1:2=argmax",
                          "--force-row", "decoder.0.1:1=0"};
    changes["unmasked"] = {"--no-mask", "--softmax-temperature", "0.5"};
    changes["all"] = {"--no-mask",     "--block", "decoder.0.1:1,2", "--force-row", "decoder.0.0:1=uniform",
                      "--score-scale", "0.7"};
    return changes;
}

} // namespace

/// Compares recomputed maps with the same run with all maps stored.
class NotStoredMapsTest : public QObject {
    Q_OBJECT

    /// Both runs of a recorded request: maps stored and not stored.
    struct Both {
        std::shared_ptr<const trace::Run> kept;
        std::shared_ptr<const trace::Run> leftOut;
    };
    static Both bothOf(const std::string& model, const std::string& change) {
        const auto changes = changesOf(model);
        const bool isFile = change == "padded";
        auto request = recordings::requestOf(
            model, recordings::read(model + "/trace" + (isFile ? "-" + change : "") + ".npz"));
        if (changes.contains(change))
            request = engines::changed(request, changes.at(change));
        const auto engine = engines::with(recordings::folder + model);
        Both both{.kept = engine->of(request, trace::RunWhat())};
        request.recording.longestMap = 1;
        both.leftOut = engine->of(request, trace::RunWhat());
        return both;
    }

    static void everyRequest() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("change");
        for (const auto& model : models) {
            const auto name = QString::fromStdString(model);
            QTest::addRow("%s", model.c_str()) << name << "";
            if (std::filesystem::exists(recordings::folder + model + "/trace-padded.npz"))
                QTest::addRow("%s padded", model.c_str()) << name << "padded";
            const auto changes = changesOf(model);
            for (const auto& [change, words] : changes.items())
                QTest::addRow("%s %s", model.c_str(), change.c_str())
                    << name << QString::fromStdString(change);
        }
    }

  private Q_SLOTS:
    void everyMapComputedAgainIsTheStoredOne_data() { everyRequest(); }
    void everyMapComputedAgainIsTheStoredOne() {
        QFETCH(const QString, model);
        QFETCH(const QString, change);
        const auto name = model.toStdString();
        const auto [kept, leftOut] = bothOf(name, change.toStdString());
        const auto stored = recordsOf(*kept);
        const auto rules = recordsOf(*leftOut);
        QCOMPARE(rules.size(), stored.size());
        std::size_t compared = 0;
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const auto& map = *stored[i];
            const auto& rule = *rules[i];
            if (map.queries() < 2 && map.keys() < 2)
                continue; // short enough to be stored
            QVERIFY(!map.isRecomputed() && rule.isRecomputed());
            QVERIFY(rule.scores.empty() && rule.weights.empty() && rule.mask.empty());
            QCOMPARE(rule.heads(), map.heads());
            QVERIFY(analysis::maskOf(rule) == map.mask);
            for (std::size_t head = 0; head < map.heads(); ++head) {
                const auto cells = map.queries() * map.keys();
                VERIFY_AGREES(compareOurs(name, "scores", "scores of " + where(map, head),
                                          analysis::recomputedScores(rule, head, {}).values(),
                                          map.scores.values().subspan(head * cells, cells)));
                VERIFY_AGREES(recordings::compareWeights(name, "weights of " + where(map, head),
                                                         analysis::withWeightsOf(rule, head).weights.values(),
                                                         analysis::withWeightsOf(map, head).weights.values(),
                                                         map.scores.values()));
                ++compared;
            }
        }
        QVERIFY(compared > 0);
    }

    void theRestOfTheRunIsTheSame_data() { everyRequest(); }
    void theRestOfTheRunIsTheSame() {
        QFETCH(const QString, model);
        QFETCH(const QString, change);
        const auto name = model.toStdString();
        const auto [kept, leftOut] = bothOf(name, change.toStdString());
        QVERIFY(leftOut->output == kept->output);
        QVERIFY(leftOut->unreached == kept->unreached);
        VERIFY_AGREES(compareOurs(name, "encoder_output", "encoder output", leftOut->encoderOutput.values(),
                                  kept->encoderOutput.values()));
        for (std::size_t t = 0; t < kept->target.size(); ++t)
            VERIFY_AGREES(compareOurs(name, "log_probabilities", "log-probabilities",
                                      leftOut->row(t).logProbabilities, kept->row(t).logProbabilities));
        QVERIFY(leftOut->selfCheck.rowsSumToOne.state == kept->selfCheck.rowsSumToOne.state);
        QVERIFY(leftOut->selfCheck.maskedCellsAreZero.state == kept->selfCheck.maskedCellsAreZero.state);
        QVERIFY(leftOut->selfCheck.cachedEqualsFullPass.state == kept->selfCheck.cachedEqualsFullPass.state);
    }

    void aRowOfItIsTheMapsRow_data() { everyRequest(); }
    void aRowOfItIsTheMapsRow() {
        QFETCH(const QString, model);
        QFETCH(const QString, change);
        const auto name = model.toStdString();
        const auto [kept, leftOut] = bothOf(name, change.toStdString());
        for (const auto* record : tests::some(recordsOf(*kept)))
            for (std::size_t head = 0; head < record->heads(); ++head)
                for (std::size_t query = 0; query < record->queries(); ++query) {
                    const auto own = analysis::headRow(*record, head, query);
                    const auto again = analysis::headRow(*leftOut->record(record->site), head, query);
                    VERIFY_AGREES(tests::compare("scores of " + where(*record, head), again.scores,
                                                 own.scores,
                                                 recordings::Precision::of(name).twoOfOurs(
                                                     "scores", tests::largestSize(record->scores.values()))));
                    VERIFY_AGREES(recordings::compareWeights(name, "weights of " + where(*record, head),
                                                             again.weights, own.weights,
                                                             record->scores.values()));
                    QVERIFY(again.open == own.open);
                }
    }

    /// Nothing is computed; the refusal says what would fit.
    void aSourceThatDoesNotFitIsRefusedBeforeItIsRun() {
        const auto engine = engines::with(recordings::folder + "relative-tiny");
        const trace::Request request{.source = trace::SourceIds{std::vector<std::int64_t>(1'000'000, 5)}};
        try {
            engine->of(request, trace::RunWhat());
            QFAIL("a million tokens fit");
        } catch (const trace::Refusal& refusal) {
            QVERIFY(refusal.text().found.find("needed") != std::string::npos);
            QVERIFY(refusal.text().expected.find("free") != std::string::npos);
            QVERIFY(refusal.text().wayOut.find("at most") != std::string::npos);
        }
    }

    void theTilesKeepTheLargestWeightOfEveryPart() {
        const auto [kept, leftOut] = bothOf("annotated-tiny", "padded");
        for (const auto* record : tests::some(recordsOf(*leftOut)))
            for (std::size_t head = 0; head < record->heads(); ++head) {
                const auto whole = analysis::withWeightsOf(*record, head);
                for (const std::size_t side : {1, 2, 3, 5, 64}) {
                    const auto tile = analysis::pooledWeights(*record, head, side, side);
                    const auto high = (record->queries() + side - 1) / side;
                    const auto wide = (record->keys() + side - 1) / side;
                    trace::Matrix expected(tile.values.rows(), tile.values.columns());
                    trace::MaskMatrix open(expected.rows(), expected.columns());
                    for (std::size_t q = 0; q < record->queries(); ++q)
                        for (std::size_t k = 0; k < record->keys(); ++k)
                            if (whole.mask(q, k)) {
                                auto& cell = expected(q / high, k / wide);
                                cell = std::max(cell, whole.weights(0, q, k));
                                open(q / high, k / wide) = 1;
                            }
                    QVERIFY(tile.values == expected);
                    QVERIFY(tile.open == open);
                }
            }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, NotStoredMapsTest)
#include "not_stored_maps_test.moc"

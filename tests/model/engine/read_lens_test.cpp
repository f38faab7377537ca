#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/trace/refusal.h"

using namespace headscope;

class ReadLensTest : public QObject {
    Q_OBJECT

    static trace::Request recorded() {
        auto request = engines::greedy({5, 6, 7, 3}, 6);
        request.recording.logProbabilities = true;
        return request;
    }

  private Q_SLOTS:
    void theLastLayerSaysWhatTheModelSays_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"annotated-tiny", "torch-transformer-tiny-post-relu",
                                  "torch-transformer-tiny-pre-gelu", "pi-tau-tiny", "marian-tiny"})
            QTest::newRow(model) << model;
    }
    void theLastLayerSaysWhatTheModelSays() {
        QFETCH(const QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto run = engine->of(recorded(), trace::RunWhat());
        const auto lens = engine->of(recorded(), trace::LensWhat());
        QCOMPARE(lens->readings.size(), run->target.size());
        const auto limit = recordings::Precision::of(model.toStdString()).twoOfOurs("log_probabilities");
        for (std::size_t t = 0; t < run->target.size(); ++t) {
            QCOMPARE(lens->readings[t].size(), lens->stages.size());
            const auto& last = lens->readings[t].back();
            VERIFY_AGREES(tests::compare("divergence", last.divergence, 0, limit));
            QCOMPARE(last.chosenRank, 0);
            VERIFY_AGREES(tests::compare("log-probability", last.chosenLogProbability,
                                         run->row(t).candidates.front().logProbability, limit));
            const auto& said = run->row(t).candidates;
            QVERIFY(last.candidates.size() >= std::min<std::size_t>(5, said.size()));
            for (std::size_t i = 0; i < std::min(said.size(), last.candidates.size()); ++i)
                VERIFY_AGREES(tests::compare("log-probability of a candidate",
                                             last.candidates[i].logProbability, said[i].logProbability,
                                             limit));
            QCOMPARE(last.candidates.front().token, said.front().token);
        }
    }

    void thePartsSumToTheLogit_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("changes");
        for (const char* model :
             {"annotated-tiny", "annotated-tiny-tied", "torch-transformer-tiny-pre-gelu"}) {
            QTest::addRow("%s", model) << model << QStringList();
            QTest::addRow("%s, changed", model)
                << model << QStringList{"--scale-head",     "cross.1.2=0.5",    "--scale-sublayer",
                                        "decoder-ff.0=0.3", "--scale-sublayer", "cross.0=0"};
        }
    }
    void thePartsSumToTheLogit() {
        QFETCH(const QString, model);
        QFETCH(const QStringList, changes);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        for (const auto& contrast : {std::optional<std::string>(), std::optional<std::string>("#4")}) {
            auto request = recorded();
            request.ratherThan = contrast;
            for (int i = 0; i < changes.size(); i += 2)
                request.interventions.push_back(
                    {trace::parseChange({changes[i].toStdString(), changes[i + 1].toStdString()})});
            const auto run = engine->of(request, trace::RunWhat());
            const auto lens = engine->of(request, trace::LensWhat());
            QVERIFY(lens->whyNoAttribution.empty());
            for (std::size_t t = 0; t < lens->attributions.size(); ++t) {
                const auto& attribution = lens->attributions[t];
                VERIFY_AGREES(recordings::compareParts(model.toStdString(), attribution));
                if (contrast) { // differences of logits equal those of log-probabilities
                    const auto& values = run->row(t).logProbabilities;
                    const double difference = values[static_cast<std::size_t>(run->next[t].id)] - values[4];
                    VERIFY_AGREES(tests::compare(
                        "difference of two logits", attribution.logit, difference,
                        2 * recordings::Precision::of(model.toStdString()).twoOfOurs("log_probabilities")));
                }
            }
        }
    }

    /// tests/reference/make_analyses.py
    void againstAnotherTokenAnIndependentProgramReadsTheSame() {
        const auto recorded = recordings::read("analyses/llama-tiny/contrast.npz");
        const auto engine = engines::with(recordings::folder + "hugging-face/llama-tiny");
        auto request = engines::forced(recordings::integers(recorded, "source_ids"),
                                       recordings::integers(recorded, "target_ids"));
        request.ratherThan = "#12";
        const auto lens = engine->of(request, trace::LensWhat());
        QCOMPARE(lens->contrast->id, 12);
        std::vector<float> values, leads, logits, parts;
        for (const auto& step : lens->readings)
            for (const auto& reading : step) {
                values.push_back(reading.chosenLogProbability);
                leads.push_back(reading.lead.value());
            }
        for (const auto& attribution : lens->attributions) {
            logits.push_back(static_cast<float>(attribution.logit));
            for (const auto& part : attribution.parts)
                parts.push_back(static_cast<float>(part.value));
        }
        for (const auto& [name, found] :
             {std::pair("lens/log_probabilities", values), std::pair("lens/leads", leads),
              std::pair("attribution/logits", logits), std::pair("attribution/parts", parts)})
            VERIFY_AGREES(recordings::compareWith(recorded, name, found));
        request.ratherThan.reset();
        const auto alone = engine->of(request, trace::LensWhat());
        QVERIFY(!alone->contrast && !alone->readings.front().front().lead);
    }

    void whereNormsRescaleTheStreamNoPartsAreShown() {
        for (const char* model : {"torch-transformer-tiny-post-relu", "pi-tau-tiny", "marian-tiny"}) {
            const auto lens = engines::with(recordings::folder + model)->of(recorded(), trace::LensWhat());
            QVERIFY(lens->attributions.empty());
            QVERIFY(!lens->whyNoAttribution.empty());
        }
    }

    void anEncoderAloneIsRefused() {
        const auto engine = engines::with(recordings::folder + "imdb-classifier-tiny");
        QVERIFY_EXCEPTION_THROWN(engine->of(engines::greedy({5, 6}), trace::LensWhat()), trace::Refusal);
    }
};

HEADSCOPE_TEST(ReadLensTest)
#include "read_lens_test.moc"

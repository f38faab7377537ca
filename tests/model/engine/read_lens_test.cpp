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

    /// Of two masks, of the labels of all tokens, or of classes read from the largest values or from the
    /// first token.
    void eachEncoder() {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"imdb-classifier-tiny", "nyu-classifier-tiny", "hugging-face/bert-tiny-masked",
              "hugging-face/distilbert-tiny-masked", "hugging-face/roberta-tiny-masked",
              "hugging-face/xlm-roberta-tiny-masked", "hugging-face/electra-tiny-masked",
              "hugging-face/bert-tiny-classes", "hugging-face/distilbert-tiny-classes",
              "hugging-face/camembert-tiny-classes", "hugging-face/electra-tiny-classes",
              "hugging-face/bert-tiny-labels", "hugging-face/mpnet-tiny-labels",
              "hugging-face/mpnet-tiny-classes", "hugging-face/deberta-v2-tiny-masked"})
            QTest::newRow(model) << model;
    }

    /// The model with a source that it answers to.
    struct Encoder {
        std::unique_ptr<engine::Engine> engine = engines::start();
        trace::Request request;

        explicit Encoder(const std::string& model) {
            const auto summary = engine->open({.path = recordings::folder + model}, {});
            trace::SourceIds source{.ids = {5, 6, 9, 7, 10, 8}};
            if (summary->tokenPrediction == trace::TokenPrediction::Masked)
                source.ids[2] = source.ids[4] = summary->special.mask.value();
            request.source = source;
        }
    };

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
        for (const char* model : {"annotated-tiny", "annotated-tiny-tied", "torch-transformer-tiny-pre-gelu",
                                  "torch-transformer-tiny-post-relu", "pi-tau-tiny", "marian-tiny"}) {
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

    /// The last norm of a sublayer's output hides its heads.
    void whereOutputsOfSublayersAreNormedNoPartsAreShown() {
        for (const char* model : {"gemma2-tiny", "olmo2-tiny"}) {
            const auto lens = engines::with(recordings::folder + "hugging-face/" + model)
                                  ->of(recorded(), trace::LensWhat());
            QVERIFY(lens->attributions.empty());
            QVERIFY(!lens->whyNoAttribution.empty());
        }
    }

    void theLastLayerOfAnEncoderSaysWhatTheModelSays_data() { eachEncoder(); }
    void theLastLayerOfAnEncoderSaysWhatTheModelSays() {
        QFETCH(const QString, model);
        const Encoder encoder(model.toStdString());
        const auto run = encoder.engine->of(encoder.request, trace::RunWhat());
        const auto lens = encoder.engine->of(encoder.request, trace::LensWhat());
        const auto answers = run->answers();
        QVERIFY(!answers.empty());
        QCOMPARE(lens->readings.size(), answers.size());
        QCOMPARE(lens->stages.size(), std::size_t{1} + 2 * run->encoder.size());
        auto mask = run->maskCandidates.begin();
        for (std::size_t t = 0; t < answers.size(); ++t) {
            QCOMPARE(lens->readings[t].size(), lens->stages.size());
            const auto& last = lens->readings[t].back();
            QCOMPARE(last.candidates.front().token, answers[t]);
            QCOMPARE(last.chosenRank, 0);
            QCOMPARE(last.divergence, 0.0F);
            for (std::size_t i = 0; i < last.candidates.size(); ++i) { // to the last bit
                const auto& [token, logProbability] = last.candidates[i];
                if (run->maskCandidates.empty()) {
                    QVERIFY(logProbability == run->classLogProbabilities.at(token.id));
                } else {
                    QCOMPARE(token, mask->second.at(i).token);
                    QVERIFY(logProbability == mask->second.at(i).logProbability);
                }
            }
            QCOMPARE(last.chosenLogProbability, last.candidates.front().logProbability);
            if (!run->maskCandidates.empty())
                ++mask;
        }
    }

    void thePartsOfAnEncoderSumToTheLogit_data() { eachEncoder(); }
    void thePartsOfAnEncoderSumToTheLogit() {
        QFETCH(const QString, model);
        Encoder encoder(model.toStdString());
        auto& request = encoder.request;
        for (const bool isChanged : {false, true})
            for (const auto& contrast : {std::optional<std::string>(), std::optional<std::string>("#1")}) {
                request.ratherThan = contrast;
                request.interventions.clear();
                if (isChanged)
                    request.interventions = {{trace::parseChange({"--scale-head", "encoder.0.1=0.5"})},
                                             {trace::parseChange({"--scale-sublayer", "encoder-ff.0=0.3"})}};
                const auto lens = encoder.engine->of(request, trace::LensWhat());
                QCOMPARE(lens->whyNoAttribution, std::string());
                QCOMPARE(lens->attributions.size(), lens->readings.size());
                for (std::size_t t = 0; t < lens->attributions.size(); ++t) {
                    const auto& attribution = lens->attributions[t];
                    VERIFY_AGREES(recordings::compareParts(model.toStdString(), attribution));
                    if (contrast)
                        VERIFY_AGREES(tests::compare("difference of two logits", attribution.logit,
                                                     lens->readings[t].back().lead.value(),
                                                     tests::Limit{1e-4, "float32 logits"}));
                }
            }
    }

    /// tests/reference/make_encoder_lens.py
    void anIndependentProgramReadsTheSameOfEncoders_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("contrast");
        QTest::newRow("masks") << "hugging-face/bert-tiny-masked" << 9;
        QTest::newRow("classes") << "hugging-face/bert-tiny-classes" << 2;
        QTest::newRow("the bundled classifier") << "imdb-classifier" << 0;
        QTest::newRow("an answer") << "hugging-face/bert-tiny-answer" << 2;
        QTest::newRow("a number") << "hugging-face/bert-tiny-number" << -1;
    }
    void anIndependentProgramReadsTheSameOfEncoders() {
        QFETCH(const QString, model);
        QFETCH(const int, contrast);
        const std::filesystem::path name = model.toStdString();
        const auto recorded = recordings::read("analyses/" + name.filename().string() + "-lens.npz");
        const auto engine =
            engines::with(name.has_parent_path() ? recordings::folder + name.string()
                                                 : HEADSCOPE_SOURCE "/resources/models/" + name.string());
        trace::SourceIds source{.ids = recordings::integers(recorded, "source_ids")};
        if (recorded.contains("source_segments"))
            source.segments = recordings::integers(recorded, "source_segments");
        trace::Request request{.source = source};
        if (contrast >= 0)
            request.ratherThan = "#" + std::to_string(contrast);
        const auto lens = engine->of(request, trace::LensWhat());
        std::vector<float> values, leads, divergences, logits, parts;
        for (const auto& answer : lens->readings)
            for (const auto& reading : answer) {
                values.push_back(reading.chosenLogProbability);
                if (contrast >= 0)
                    leads.push_back(reading.lead.value());
                divergences.push_back(reading.divergence);
            }
        for (const auto& attribution : lens->attributions) {
            logits.push_back(static_cast<float>(attribution.logit));
            for (const auto& part : attribution.parts)
                parts.push_back(static_cast<float>(part.value));
        }
        std::vector<std::int64_t> chosen;
        for (const auto& attribution : lens->attributions)
            chosen.push_back(attribution.token.id);
        QCOMPARE(chosen, recordings::integers(recorded, "chosen"));
        for (const auto& [array, found] :
             {std::pair("lens/log_probabilities", values), std::pair("lens/leads", leads),
              std::pair("lens/divergence", divergences), std::pair("attribution/logits", logits),
              std::pair("attribution/parts", parts)}) {
            if (contrast < 0 && found.empty())
                continue;
            VERIFY_AGREES(recordings::compareWith(recorded, array, found));
            VERIFY_AGREES(tests::compare(array, found, files::floatsOf(recorded.at(array)),
                                         tests::Limit{1e-5, "five digits"}));
        }
    }

    void anEncoderThatSaysNothingIsRefused() {
        for (const char* model : {"bert-tiny", "electra-tiny-replaced", "bert-tiny-masked"}) { // no mask
            const auto engine = engines::with(recordings::folder + "hugging-face/" + model);
            QVERIFY_EXCEPTION_THROWN(engine->of(engines::greedy({5, 6}), trace::LensWhat()), trace::Refusal);
        }
    }
};

HEADSCOPE_TEST(ReadLensTest)
#include "read_lens_test.moc"

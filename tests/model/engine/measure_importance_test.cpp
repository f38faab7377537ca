#include "tests/model/engine/engines.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/model/engine/recordings.h"
#include "tests/registered_test.h"

#include "model/trace/refusal.h"

using namespace headscope;
using trace::AttentionKind;

namespace {

/// Total log-probability of the original output in a forced run.
std::vector<double> logProbabilities(engine::Engine& engine, const trace::Run& original,
                                     std::vector<trace::Intervention> interventions) {
    std::vector<std::int64_t> ids;
    for (const auto node : original.path)
        ids.push_back(original.tree.node(node).token.id);
    auto request = original.request;
    request.paths = {{.forced = trace::TargetIds{ids}, .newTokens = 0}};
    request.interventions = std::move(interventions);
    const auto run = engine.of(request, trace::RunWhat());
    std::vector<double> values;
    for (std::size_t i = 1; i < run->path.size(); ++i)
        values.push_back(run->tree.node(run->path[i]).logProbability);
    return values;
}

} // namespace

class MeasureImportanceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void paddingIsNoOutput() {
        const auto engine = engines::with(engines::tiny);
        auto request = engines::greedy({9, 4, 16, 7, 12, 5, 3});
        const auto plain = engine->of(request, trace::ImportanceWhat());
        request.padding.target = 3;
        const auto padded = engine->of(request, trace::ImportanceWhat());
        QCOMPARE(padded->tokens, plain->tokens);
        QCOMPARE(padded->effects.front().importance.size(), plain->tokens.size());
        const auto ofOne = recordings::Precision::of("annotated-tiny").twoOfOurs("log_probabilities");
        VERIFY_AGREES(tests::compare("importance", padded->effects.front().importance,
                                     plain->effects.front().importance, 2 * ofOne));
    }

    void aReferenceIsReadToItsEndAlsoWhereTheModelWouldHaveEnded() {
        const auto engine = engines::with(engines::tiny);
        const std::vector<std::int64_t> target{2, 18, 17, 20, 11, 9, 9}; // the model ends after 11
        const auto request = engines::forced({9, 4, 16, 7, 12, 5, 3}, target);
        const auto importance = engine->of(request, trace::ImportanceWhat());
        QCOMPARE(importance->tokens.size(), target.size());
        QCOMPARE(importance->tokens[4].role, trace::TokenRole::End);
    }

    void aHeadIsWorthWhatItsAbsenceCosts_data() {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"annotated-tiny", "torch-transformer-tiny-post-relu", "pi-tau-tiny", "marian-tiny"})
            QTest::newRow(model) << model;
    }
    void aHeadIsWorthWhatItsAbsenceCosts() {
        QFETCH(const QString, model);
        const auto engine = engines::with(recordings::folder + model.toStdString());
        const auto request = engines::greedy({5, 6, 7, 3}, 6);
        const auto run = engine->of(request, trace::RunWhat());
        const auto importance = engine->of(request, trace::ImportanceWhat());
        QVERIFY(importance->complete);
        QCOMPARE(importance->tokens, run->next);
        const auto original = logProbabilities(*engine, *run, {});
        const auto ofOne = recordings::Precision::of(model.toStdString()).twoOfOurs("log_probabilities");
        for (const auto& effect : importance->effects) {
            const auto without =
                logProbabilities(*engine, *run, {{trace::ScaleHead{.head = effect.head, .factor = 0}}});
            for (std::size_t t = 0; t < without.size(); ++t)
                VERIFY_AGREES(
                    tests::compare("importance", effect.importance[t], original[t] - without[t], 2 * ofOne));
            for (const float divergence : effect.divergence) // 0 where the head changes nothing
                QVERIFY(divergence >= -ofOne.distance);
        }
        const auto* summary = run->model.get();
        QCOMPARE(importance->effects.size(),
                 static_cast<std::size_t>(summary->encoderLayers * summary->encoderHeads +
                                          2 * summary->decoderLayers * summary->decoderHeads));
    }

    void aHeadThatIsOffAlreadyIsWorthNothing() {
        const auto engine = engines::with(engines::tiny);
        auto request = engines::greedy({5, 6, 7, 3}, 6);
        const trace::HeadAddress head{{AttentionKind::Cross, 1}, 2};
        request.interventions = {{trace::ScaleHead{.head = head, .factor = 0}}};
        const auto importance = engine->of(request, trace::ImportanceWhat());
        for (const float step : tests::some(importance->effect(head)->importance))
            QCOMPARE(step, 0.0F);
    }

    void againstItselfNothingIsWorthAnything() {
        const auto engine = engines::with(engines::tiny);
        auto request = engines::greedy({5, 6, 7, 3}, 1);
        const auto run = engine->of(request, trace::RunWhat());
        request.ratherThan = "#" + std::to_string(run->next.front().id);
        const auto importance = engine->of(request, trace::ImportanceWhat());
        for (const auto& effect : tests::some(importance->effects))
            QCOMPARE(effect.importance.front(), 0.0F);
    }

    void aClassifierIsMeasuredByItsClass() {
        const auto engine = engines::with(recordings::folder + "imdb-classifier-tiny");
        const auto importance = engine->of(engines::greedy({5, 6, 7, 3}), trace::ImportanceWhat());
        QCOMPARE(importance->tokens.size(), 1U);
        QVERIFY(!importance->effects.empty());
    }

    void encodersAloneLoseWhatTransformersMeasures_data() {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"bert-tiny-masked", "distilbert-tiny-masked", "roberta-tiny-masked", "electra-tiny-masked",
              "bert-tiny-classes", "roberta-tiny-classes", "bert-tiny-labels", "roberta-tiny-labels",
              "bert-tiny-several", "mpnet-tiny-masked", "deberta-v2-tiny-masked", "bert-tiny-answer",
              "distilbert-tiny-answer", "mpnet-tiny-answer", "bert-tiny-number", "roberta-tiny-numbers"})
            QTest::newRow(model) << model;
    }
    /// tests/reference/make_heads_off.py
    void encodersAloneLoseWhatTransformersMeasures() {
        QFETCH(const QString, model);
        const auto recorded = recordings::read("analyses/" + model.toStdString() + ".npz");
        const auto engine = engines::with(recordings::folder + "hugging-face/" + model.toStdString());
        trace::Request request{
            .source = trace::SourceIds{.ids = recordings::integers(recorded, "source_ids"),
                                       .segments = recordings::integersIn(recorded, "source_segments")}};
        const auto compare = [&](const std::string& original, const std::string& heads) {
            const auto measured = engine->of(request, trace::ImportanceWhat());
            QCOMPARE(trace::idsOf(measured->tokens), recordings::integers(recorded, "tokens"));
            std::vector<float> losses, divergences;
            for (const auto& effect : measured->effects) {
                losses.insert(losses.end(), effect.importance.begin(), effect.importance.end());
                divergences.insert(divergences.end(), effect.divergence.begin(), effect.divergence.end());
            }
            for (const auto& [name, found] :
                 {std::pair(original, measured->original), std::pair(heads, losses),
                  std::pair(std::string("importance/divergence"), divergences)}) {
                VERIFY_AGREES(recordings::compareWith(recorded, name, found));
            }
        };
        compare("importance/undisturbed", "importance/heads");
        if (!recorded.contains("contrast")) { // numbers
            request.ratherThan = "#0";
            QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat()), trace::Refusal);
            return;
        }
        const auto contrast = recordings::integers(recorded, "contrast").front();
        request.ratherThan = "#" + std::to_string(contrast);
        compare("importance/contrast_undisturbed", "importance/contrast_heads");
        QCOMPARE(engine->of(request, trace::ImportanceWhat())->contrast->id, contrast);
    }

    void classesAreNamedByLabelOrNumber() {
        const auto engine = engines::with(recordings::folder + "hugging-face/bert-tiny-classes");
        trace::Request request{.source = "the cat sat"};
        for (const char* name : {"positive", "#2"}) {
            request.ratherThan = name;
            const auto measured = engine->of(request, trace::ImportanceWhat());
            QCOMPARE(measured->contrast->id, 2);
            QCOMPARE(measured->contrast->piece, std::string("positive"));
        }
        for (const char* name : {"cat", "#3", "#", ""}) {
            request.ratherThan = name;
            QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat()), trace::Refusal);
        }
    }

    void wordsAreTokensOfTheVocabularyThatMasksArePredictedFrom() {
        const auto engine = engines::with(recordings::folder + "hugging-face/bert-tiny-masked");
        trace::Request request{.source = "the [MASK] sat", .ratherThan = "dog"};
        QCOMPARE(engine->of(request, trace::RunWhat())->contrast->piece, std::string("dog"));
        request.ratherThan = "##ing"; // no number, but a piece
        QCOMPARE(engine->of(request, trace::RunWhat())->contrast->piece, std::string("##ing"));
        request.ratherThan = "#26"; // the vocabulary has 26 tokens
        QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat()), trace::Refusal);
    }

    void withoutAMaskNothingIsMeasured() {
        const auto engine = engines::with(recordings::folder + "hugging-face/bert-tiny-masked");
        const auto refusal = [&](const char* text) {
            try {
                engine->of({.source = text}, trace::ImportanceWhat());
            } catch (const trace::Refusal& refused) {
                return refused.text().wayOut;
            }
            return std::string();
        };
        QVERIFY(refusal("the [MASK] sat").empty());
        QCOMPARE(refusal("the cat sat"), std::string("put [MASK] in place of a word"));
    }

    void anEncoderAloneIsRefused() {
        const auto engine = engines::with(recordings::folder + "tutorial-encoder-tiny-embedded");
        QVERIFY_EXCEPTION_THROWN(engine->of(engines::greedy({5, 6, 7}), trace::ImportanceWhat()),
                                 trace::Refusal);
    }

    void wordsThatAreNoOneTokenAreRefused() {
        const auto engine = engines::with(engines::trained);
        trace::Request request{.source = "I see."};
        for (const char* word : {"Donaudampfschifffahrt", "#8000", "#", ""}) {
            request.ratherThan = word;
            QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::ImportanceWhat()), trace::Refusal);
        }
        // "Das" is a piece, too, of words that end with it; a person means the word.
        for (const std::string word : {"seiner", "Das"}) {
            request.ratherThan = word;
            QCOMPARE(engine->of(request, trace::ImportanceWhat())->contrast->piece, "\u2581" + word);
        }
    }

    void itCanBeCancelled() {
        const auto engine = engines::with(engines::trained);
        std::stop_source stop;
        int told = 0;
        const auto stopAtOnce = [&](const auto&) {
            ++told;
            stop.request_stop();
        };
        std::string sentences; // enough sentences that a fast machine reports before it is done
        for (int i = 0; i < 6; ++i)
            sentences += "My grandmother told me that she walked to school every day. ";
        const trace::Request request{.source = sentences};
        QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::ImportanceWhat(), stop.get_token(), stopAtOnce),
                                 trace::Cancelled);
        QCOMPARE(told, 1);
        QVERIFY(engine->of(request, trace::RunWhat())->complete);
    }
};

HEADSCOPE_TEST(MeasureImportanceTest)
#include "measure_importance_test.moc"

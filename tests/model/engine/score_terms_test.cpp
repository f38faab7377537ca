#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
#include "tests/model/engine/changed_weight.h"
#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace headscope;
using engines::source;
using engines::target;
using trace::AttentionKind;
using trace::ScorePart;

namespace {

constexpr trace::AttentionSite encoder{AttentionKind::EncoderSelf, 0};
constexpr trace::AttentionSite decoder{AttentionKind::DecoderSelf, 0};

nlohmann::json recordedTerms() {
    std::ifstream file(recordings::folder + "score-terms/score-terms.json");
    return nlohmann::json::parse(file);
}

/// Compares the sum of the terms with the model's scores.
tests::Comparison compareSum(const std::string& model, const trace::ScoreTerms& terms) {
    std::vector<double> sums(terms.scores.values().size()), sizes(sums.size());
    for (const auto& term : terms.terms)
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += double{term.values.values()[i]};
            sizes[i] += std::abs(double{term.values.values()[i]});
        }
    return tests::compare("sum of the terms", sums, terms.scores.values(),
                          recordings::Precision::of(model).twoOfOurs("scores", tests::largestSize(sizes)));
}

} // namespace

/// Scores of a first layer as a sum over words, positions and biases, computed by the engine.
class ScoreTermsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::ScoreTerms> terms(const trace::Request& request, trace::AttentionSite site) {
        return engine_->of(request, trace::ScoreTermsWhat{.site = site});
    }
    void refuses(const trace::Request& request, trace::AttentionSite site, const std::string& expected) {
        try {
            terms(request, site);
            QFAIL("it was not refused");
        } catch (const trace::Refusal& refusal) {
            QCOMPARE(refusal.text().expected, expected);
        }
    }

  private Q_SLOTS:
    void init() { engine_ = engines::with(engines::tiny); }

    void termsOfMapsThatAreLeftOutAreTheSame() {
        trace::Request request{.source = trace::SourceIds{source},
                               .paths = {{.forced = trace::TargetIds{target}, .newTokens = 0}}};
        for (const auto& site : {encoder, decoder}) {
            request.recording.longestMap = 0;
            const auto kept = terms(request, site);
            request.recording.longestMap = 3;
            const auto again = terms(request, site);
            QCOMPARE(again->terms.size(), kept->terms.size());
            QVERIFY(again->mask == kept->mask);
            VERIFY_AGREES(recordings::compareOurs("annotated-tiny", "scores", "scores",
                                                  again->scores.values(), kept->scores.values()));
            for (std::size_t i = 0; i < kept->terms.size(); ++i)
                VERIFY_AGREES(recordings::compareOurs("annotated-tiny", "scores", "a term",
                                                      again->terms[i].values.values(),
                                                      kept->terms[i].values.values()));
            VERIFY_AGREES(compareSum("annotated-tiny", *again));
        }
    }

    void anIndependentProgramComputesTheSame_data() {
        QTest::addColumn<QString>("file");
        const auto recorded = recordedTerms();
        for (const auto& [file, entry] : recorded.items())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    void anIndependentProgramComputesTheSame() {
        QFETCH(const QString, file);
        const auto entry = recordedTerms().at(file.toStdString());
        const std::string model = entry.at("model");
        const auto recorded = recordings::read("score-terms/" + file.toStdString() + ".npz");
        const auto engine = engines::with(recordings::folder + model);
        const auto request = engines::changed(recordings::requestOf(model, recorded), entry.at("options"));
        for (const auto& site : {encoder, decoder}) {
            const std::string array = "terms/" + std::string(trace::name(site.kind));
            if (!recorded.contains(array))
                continue;
            const auto valuesOf = [](const trace::ScoreTerms& terms) {
                std::vector<float> values;
                for (const auto& term : terms.terms)
                    values.insert(values.end(), term.values.values().begin(), term.values.values().end());
                return values;
            };
            const auto found = engine->of(request, trace::ScoreTermsWhat{.site = site});
            QCOMPARE(found->terms.size(), std::size_t{9});
            VERIFY_AGREES(recordings::compareWith(recorded, array, valuesOf(*found)));
            if (file == "annotated-tiny" && site == encoder) {
                const auto changed = engines::withChangedWeight(engines::tiny, engines::queriesOfTiny);
                QVERIFY(!recordings::compareWith(
                    recorded, array, valuesOf(*changed->of(request, trace::ScoreTermsWhat{.site = site}))));
            }
            VERIFY_AGREES(compareSum(model, *found));
        }
    }

    /// tests/reference/make_encoders.py: content, content to position, position to content.
    void disentangledScoresAreASumOfThreeTermsInEveryLayer() {
        const std::string model = "hugging-face/deberta-v2-tiny";
        const auto recorded = recordings::read(model + "/terms.npz");
        const auto fed = recordings::read(model + "/trace.npz");
        const auto engine = engines::with(recordings::folder + model);
        const trace::Request request{
            .source = trace::SourceIds{.ids = recordings::integers(fed, "source_ids"),
                                       .segments = recordings::integers(fed, "source_segments")}};
        std::vector<float> values;
        for (const int layer : {0, 1}) {
            const auto found =
                engine->of(request, trace::ScoreTermsWhat{.site = {AttentionKind::EncoderSelf, layer}});
            QCOMPARE(found->terms.size(), std::size_t{3});
            for (const auto& term : found->terms)
                values.insert(values.end(), term.values.values().begin(), term.values.values().end());
            VERIFY_AGREES(compareSum(model, *found));
        }
        VERIFY_AGREES(recordings::compareWith(recorded, "terms", values));
    }

    void theTermsSumToTheScoresOfWhatWasDecoded() {
        auto request = engines::greedy(source);
        request.padding.source = 2;
        for (const auto& words : std::vector<std::vector<std::string>>{
                 {}, {"--positions", "none"}, {"--positions", "shuffle:4"}, {"--score-scale", "0.3"}}) {
            const auto changed = engines::changed(request, words);
            VERIFY_AGREES(compareSum("annotated-tiny", *terms(changed, encoder)));
            const auto decoded = terms(changed, decoder);
            VERIFY_AGREES(compareSum("annotated-tiny", *decoded));
            QCOMPARE(decoded->tokens, engine_->of(changed, trace::RunWhat())->target);
        }
    }

    void theTrainedModelsTermsSumToItsScores() {
        engine_ = engines::with(engines::trained);
        trace::Request request{.source = "The old man gave his daughter a red book.",
                               .paths = {{.newTokens = 30}}};
        for (const auto& site : {encoder, decoder}) {
            const auto found = terms(request, site);
            VERIFY_AGREES(compareSum("tatoeba-en-de", *found));
        }
    }

    void termsWithTheKeysBiasAreConstantAlongTheRow() {
        const auto found = terms(engines::forced(source, target), encoder);
        const auto ofBias = [](const auto& term) { return term.product->key == ScorePart::Bias; };
        for (const auto& term : tests::some(found->terms | std::views::filter(ofBias)))
            for (std::size_t head = 0; head < term.values.heads(); ++head)
                for (std::size_t row = 0; row < term.values.rows(); ++row)
                    for (const float value : term.values.head(head).row(row))
                        VERIFY_AGREES(tests::compare(
                            "a term", value, term.values(head, row, 0),
                            recordings::Precision::of("annotated-tiny")
                                .twoOfOurs("scores", tests::largestSize(term.values.values()))));
    }

    void withoutPositionsTheirTermsAreZero() {
        const auto found =
            terms(engines::changed(engines::forced(source, target), {"--positions", "none"}), decoder);
        const auto ofPosition = [](const auto& term) {
            return term.product->query == ScorePart::Position || term.product->key == ScorePart::Position;
        };
        for (const auto& term : tests::some(found->terms | std::views::filter(ofPosition)))
            for (const float value : tests::some(term.values.values()))
                QCOMPARE(value, 0.0F);
    }

    void deeperLayersAndCrossAttentionAreRefused() {
        const std::string first = "self-attention in the first layer of encoder or decoder";
        const auto request = engines::forced(source, target);
        refuses(request, {AttentionKind::EncoderSelf, 1}, first);
        refuses(request, {AttentionKind::Cross, 0}, first);
        refuses(request, {AttentionKind::DecoderSelf, 2}, "a layer from 0 to 1");
    }

    void vectorsAreRefused() {
        engine_ = engines::with(recordings::folder + "torch-encoder-tiny");
        auto request = engines::greedy({});
        request.source = recordings::embeddingsOf("torch-encoder-tiny");
        refuses(request, encoder, "a source of tokens");
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, ScoreTermsTest)
#include "score_terms_test.moc"

#include "model/trace/refusal.h"
#include "tests/model/engine/changed_request.h"
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

/// Difference between the sum of the terms and the model's scores, relative for scores above 1.
double missing(const trace::ScoreTerms& terms) {
    std::vector<float> sums(terms.scores.values().size());
    for (const auto& term : terms.terms)
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += term.values.values()[i];
    return recordings::difference(sums, {terms.scores.values().begin(), terms.scores.values().end()});
}

} // namespace

/// Scores of a first layer as a sum over words, positions and biases, computed by the engine.
class ScoreTermsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<engine::Engine> engine_;

    std::shared_ptr<const trace::ScoreTerms> terms(const trace::Request& request, trace::AttentionSite site) {
        return engine_->scoreTerms(request, site, {});
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
            const auto difference = [](const trace::HeadStack& one, const trace::HeadStack& other) {
                return recordings::difference({one.values().begin(), one.values().end()},
                                              {other.values().begin(), other.values().end()});
            };
            QVERIFY(difference(again->scores, kept->scores) <= 1e-5);
            for (std::size_t i = 0; i < kept->terms.size(); ++i)
                QVERIFY(difference(again->terms[i].values, kept->terms[i].values) <= 1e-5);
            QVERIFY(missing(*again) <= 1e-5);
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
            const auto found = engine->scoreTerms(request, site, {});
            QCOMPARE(found->terms.size(), std::size_t{9});
            std::vector<float> values;
            for (const auto& term : found->terms)
                values.insert(values.end(), term.values.values().begin(), term.values.values().end());
            const double difference = recordings::difference(values, files::floatsOf(recorded.at(array)));
            QVERIFY2(difference < 1e-5, qPrintable(QString("%1: %2").arg(array.c_str()).arg(difference)));
            QVERIFY2(missing(*found) < 1e-5,
                     qPrintable(QString("the sum misses by %1").arg(missing(*found))));
        }
    }

    void theTermsSumToTheScoresOfWhatWasDecoded() {
        auto request = engines::greedy(source);
        request.padding.source = 2;
        for (const auto& words : std::vector<std::vector<std::string>>{
                 {}, {"--positions", "none"}, {"--positions", "shuffle:4"}, {"--score-scale", "0.3"}}) {
            const auto changed = engines::changed(request, words);
            QVERIFY(missing(*terms(changed, encoder)) < 1e-5);
            const auto decoded = terms(changed, decoder);
            QVERIFY(missing(*decoded) < 1e-5);
            QCOMPARE(decoded->tokens, engine_->run(changed, {}, {})->target);
        }
    }

    void theTrainedModelsTermsSumToItsScores() {
        engine_ = engines::with(engines::trained);
        trace::Request request{.source = "The old man gave his daughter a red book.",
                               .paths = {{.newTokens = 30}}};
        for (const auto& site : {encoder, decoder}) {
            const auto found = terms(request, site);
            qInfo("%s misses by %.2e", toString(site).c_str(), missing(*found));
            QVERIFY(missing(*found) < 1e-5);
        }
    }

    void termsWithTheKeysBiasAreConstantAlongTheRow() {
        const auto found = terms(engines::forced(source, target), encoder);
        for (const auto& term : found->terms) {
            if (term.product->key != ScorePart::Bias)
                continue;
            for (std::size_t head = 0; head < term.values.heads(); ++head)
                for (std::size_t row = 0; row < term.values.rows(); ++row)
                    for (const float value : term.values.head(head).row(row))
                        QVERIFY(std::abs(value - term.values(head, row, 0)) < 1e-5F);
        }
    }

    void withoutPositionsTheirTermsAreZero() {
        const auto found =
            terms(engines::changed(engines::forced(source, target), {"--positions", "none"}), decoder);
        for (const auto& term : found->terms)
            if (term.product->query == ScorePart::Position || term.product->key == ScorePart::Position)
                for (const float value : term.values.values())
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

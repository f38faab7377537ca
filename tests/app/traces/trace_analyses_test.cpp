#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "model/analysis/heads/removal_orders.h"
#include "model/trace/refusal.h"
#include "tests/new_file.h"
#include "tests/registered_test.h"

#include <cmath>
#include <cstring>
#include <functional>

using namespace headscope;
namespace fs = std::filesystem;

namespace {

const fs::path references = HEADSCOPE_SOURCE "/tests/reference";
const app::TraceContents all{.attribution = true, .importance = true};

/// Also of numbers that are none, and of zeros.
bool sameBits(float one, float other) {
    return std::memcmp(&one, &other, sizeof(float)) == 0;
}

bool sameBits(const std::vector<float>& one, const std::vector<float>& other) {
    return std::ranges::equal(one, other, [](float a, float b) { return sameBits(a, b); });
}

bool sameCandidates(const std::vector<trace::Candidate>& one, const std::vector<trace::Candidate>& other) {
    return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
        return a.token == b.token && sameBits(a.logProbability, b.logProbability);
    });
}

bool sameReadings(const std::vector<trace::LensReading>& one, const std::vector<trace::LensReading>& other) {
    return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
        return sameCandidates(a.candidates, b.candidates) && a.chosenRank == b.chosenRank &&
               sameBits(a.chosenLogProbability, b.chosenLogProbability) &&
               sameBits(a.divergence, b.divergence) && a.lead == b.lead;
    });
}

bool sameParts(const trace::LogitAttribution& one, const trace::LogitAttribution& other) {
    return one.token == other.token && one.contrast == other.contrast && one.logit == other.logit &&
           std::ranges::equal(one.parts, other.parts, [](const auto& a, const auto& b) {
               return a.kind == b.kind && a.sublayer == b.sublayer && a.head == b.head && a.value == b.value;
           });
}

bool sameEffects(const trace::HeadImportance& one, const trace::HeadImportance& other) {
    return std::ranges::equal(one.effects, other.effects, [](const auto& a, const auto& b) {
        return a.head == b.head && sameBits(a.importance, b.importance) &&
               sameBits(a.divergence, b.divergence);
    });
}

QByteArray bytesOf(const fs::path& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What is refused, with its way out.
QString paragraphOf(const std::function<void()>& ask) {
    try {
        ask();
    } catch (const trace::Refusal& refusal) {
        return QString::fromStdString(trace::paragraph(refusal.text()));
    }
    return {};
}

} // namespace

class TraceAnalysesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    fs::path base_;
    std::unique_ptr<engine::Engine> engine_;

    static trace::Request aRequest() {
        return {.source = trace::SourceIds{{5, 6, 3}}, .paths = {{.newTokens = 6}}};
    }

    /// What was computed, of the model of that name; the file is open afterwards.
    app::TraceAnalyses saved(const char* model, const trace::Request& request, const fs::path& path,
                             const app::TraceContents& contents = all) {
        engine_->open({.path = references / model}, {});
        const auto run = engine_->of(request, trace::RunWhat());
        auto computed = app::traceAnalyses(*engine_, request, *run, contents, {});
        app::saveTrace(*run, computed, tests::newFile(path));
        recorded_ = *engine_->open({.path = path}, {})->recorded;
        return computed;
    }
    trace::Request recorded_;

  private Q_SLOTS:
    void initTestCase() {
        base_ = folder_.path().toStdString();
        engine_ = app::withTraces(app::loadEngine({.familyFolders = app::familyFolders()}));
    }

    /// Which is fed its source as the beginning of its target.
    void theMapsOfADecoderAloneAreReadBack() {
        const auto computed =
            saved("hugging-face/qwen3-tiny", aRequest(), base_ / "decoder.safetensors", {.quantities = true});
        for (const auto& maps : tests::some(computed.maps)) {
            const auto read =
                engine_->of(recorded_, trace::MapsWhat{.quantity = maps->quantity, .site = maps->site});
            QCOMPARE(read->values, maps->values);
            QCOMPARE(read->mask, maps->mask);
            QCOMPARE(read->sourceColumns, maps->sourceColumns);
        }
    }

    void theLensAndThePartsOfLogitsAreReadBackToTheBit_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("against");
        QTest::newRow("pre-norm") << QByteArray("annotated-tiny") << QByteArray();
        QTest::newRow("against a token") << QByteArray("annotated-tiny") << QByteArray("#7");
        QTest::newRow("post-norm") << QByteArray("torch-transformer-tiny-post-relu") << QByteArray();
        QTest::newRow("of a classifier") << QByteArray("imdb-classifier-tiny") << QByteArray("#1");
        QTest::newRow("of an answer") << QByteArray("hugging-face/bert-tiny-answer") << QByteArray("#1");
        QTest::newRow("of numbers") << QByteArray("hugging-face/roberta-tiny-numbers") << QByteArray();
    }

    void theLensAndThePartsOfLogitsAreReadBackToTheBit() {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, against);
        const trace::DecodePath decoded{.newTokens = 6};
        const trace::DecodePath reference{.forced = trace::TargetIds{{2, 18, 7}}, .newTokens = 0};
        const trace::DecodePath wentOn{.forced = trace::TargetIds{{2, 18, 7}}, .newTokens = 3};
        const bool decodes = model.startsWith("annotated") || model.startsWith("torch");
        for (const auto& path : decodes ? std::vector{decoded, reference, wentOn} : std::vector{decoded}) {
            auto request = aRequest();
            request.paths = {path};
            if (!against.isEmpty())
                request.ratherThan = against.toStdString();
            const auto computed = saved(model.constData(), request, base_ / "lens.safetensors").lens;
            QVERIFY(computed && !computed->readings.empty());
            QCOMPARE(computed->attributions.empty(), !computed->whyNoAttribution.empty());
            const auto read = engine_->of(recorded_, trace::LensWhat());
            QCOMPARE(read->request, recorded_);
            QCOMPARE(read->stages, computed->stages);
            QCOMPARE(read->finalNorm, computed->finalNorm);
            QCOMPARE(read->contrast.has_value(), !against.isEmpty());
            QCOMPARE(read->contrast, computed->contrast);
            QCOMPARE(read->areNumbers, computed->areNumbers);
            QCOMPARE(read->whyNoAttribution, computed->whyNoAttribution);
            QVERIFY(std::ranges::equal(read->readings, computed->readings, sameReadings));
            QVERIFY(std::ranges::equal(read->attributions, computed->attributions, sameParts));
        }
    }

    void whatHeadsAreWorthIsReadBackToTheBit_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("against");
        QTest::newRow("of a translator") << QByteArray("annotated-tiny") << QByteArray();
        QTest::newRow("against a token") << QByteArray("annotated-tiny") << QByteArray("#7");
        QTest::newRow("of a classifier") << QByteArray("imdb-classifier-tiny") << QByteArray();
        QTest::newRow("of an answer") << QByteArray("hugging-face/bert-tiny-answer") << QByteArray("#1");
        QTest::newRow("of numbers") << QByteArray("hugging-face/roberta-tiny-numbers") << QByteArray();
    }

    void whatHeadsAreWorthIsReadBackToTheBit() {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, against);
        auto request = aRequest();
        if (!against.isEmpty())
            request.ratherThan = against.toStdString();
        const auto computed = saved(model.constData(), request, base_ / "importance.safetensors").importance;
        QVERIFY(computed && computed->complete && !computed->effects.empty());
        const auto read = engine_->of(recorded_, trace::ImportanceWhat());
        QVERIFY(read->complete);
        QCOMPARE(read->request, recorded_);
        QCOMPARE(read->tokens, computed->tokens);
        QCOMPARE(read->contrast, computed->contrast);
        QCOMPARE(read->areNumbers, computed->areNumbers);
        QVERIFY(sameBits(read->original, computed->original));
        QVERIFY(sameEffects(*read, *computed));
    }

    void removalCurvesAreReadBackToTheBit_data() {
        QTest::addColumn<QByteArray>("against");
        QTest::newRow("alone") << QByteArray();
        QTest::newRow("against a token") << QByteArray("#7");
    }
    void removalCurvesAreReadBackToTheBit() {
        QFETCH(QByteArray, against);
        auto request = aRequest();
        if (!against.isEmpty())
            request.ratherThan = against.toStdString();
        const auto computed =
            saved("annotated-tiny", request, base_ / "curves.safetensors", {.removal = true});
        const auto steps = computed.importance->tokens.size();
        QCOMPARE(computed.removals.size(), steps + 1 + 12);
        for (const auto& curve : computed.removals) {
            const auto read = engine_->of(
                recorded_, trace::RemovalWhat{curve->order, curve->removed, computed.importance->ablation});
            QVERIFY(read->complete && read->request == recorded_ && read->order == curve->order);
            QCOMPARE(read->removed, curve->removed);
            QCOMPARE(read->tokens, curve->tokens);
            QCOMPARE(read->contrast, curve->contrast);
            QVERIFY(std::ranges::equal(read->values, curve->values,
                                       [](const auto& a, const auto& b) { return sameBits(a, b); }));
        }
        const auto ofStep = analysis::byImportance(*computed.importance, 1);
        QVERIFY(computed.removals[1]->order == ofStep.order);
        auto other = ofStep;
        std::swap(other.order[0], other.order[1]);
        QVERIFY(paragraphOf([&] { engine_->of(recorded_, other); }).contains("trace --curve"));
    }

    void knockOutLossesAreReadBackToTheBit_data() { removalCurvesAreReadBackToTheBit_data(); }
    void knockOutLossesAreReadBackToTheBit() {
        QFETCH(QByteArray, against);
        auto request = aRequest();
        request.padding.source = 1; // which has no loss
        if (!against.isEmpty())
            request.ratherThan = against.toStdString();
        const auto computed =
            saved("annotated-tiny", request, base_ / "knock-out.safetensors", {.knockOut = true}).knockOut;
        QVERIFY(!computed.empty());
        const auto bits = [](double one, double other) {
            return std::memcmp(&one, &other, sizeof one) == 0 || (std::isnan(one) && std::isnan(other));
        };
        for (const auto& row : computed) {
            const auto read = engine_->of(recorded_, trace::CausalRowWhat{.step = row->step, .keys = {}});
            QCOMPARE(read->token, row->token);
            QCOMPARE(read->contrast, row->contrast);
            QCOMPARE(read->contrast.has_value(), !against.isEmpty());
            QCOMPARE(read->logProbability, row->logProbability);
            QVERIFY(std::ranges::equal(read->drops, row->drops, bits));
            QVERIFY(std::isnan(read->drops.back()));
            const auto part = engine_->of(recorded_, trace::CausalRowWhat{.step = row->step, .keys = {1, 2}});
            QVERIFY(std::isnan(part->drops[0]) && bits(part->drops[1], row->drops[1]));
        }
        const trace::HeadAddress one{{trace::AttentionKind::Cross, 0}, 0};
        QVERIFY(paragraphOf([&] {
                    engine_->of(recorded_, trace::CausalRowWhat{.step = 0, .head = one, .keys = {}});
                }).contains("all heads together"));
        auto compared = recorded_;
        compared.ratherThan = "#8";
        QVERIFY(paragraphOf([&] {
                    engine_->of(compared, trace::CausalRowWhat{.step = 0, .keys = {}});
                }).contains("--knock-out --rather-than='#8'"));
    }

    void importanceSaysHowHeadsWereRemoved() {
        trace::Request request{.source = "I see."};
        const trace::Ablation other{.kind = trace::Ablation::Kind::Resample, .sentence = "We drink tea."};
        engine_->open({.path = fs::path(HEADSCOPE_SOURCE) / "resources/models/tatoeba-en-de"}, {});
        const auto run = engine_->of(request, trace::RunWhat());
        const auto computed =
            app::traceAnalyses(*engine_, request, *run, {.importance = true, .ablation = other}, {});
        app::saveTrace(*run, computed, tests::newFile(base_ / "resampled.safetensors"));
        recorded_ = *engine_->open({.path = base_ / "resampled.safetensors"}, {})->recorded;
        QVERIFY(engine_->of(recorded_, trace::ImportanceWhat{other})->ablation == other);
        const auto refused = paragraphOf([&] { engine_->of(recorded_, trace::ImportanceWhat()); });
        QVERIFY2(refused.contains("resample=We drink tea."), qPrintable(refused));
        QVERIFY(refused.contains("--importance --ablation='zero'") ||
                refused.contains("--importance --ablation=zero"));
    }

    void savedAgainItIsTheSameFile() {
        auto contents = all;
        contents.removal = contents.knockOut = true;
        saved("annotated-tiny", aRequest(), base_ / "once.safetensors", contents);
        const auto run = engine_->of(recorded_, trace::RunWhat());
        app::saveTrace(*run, app::traceAnalyses(*engine_, recorded_, *run, contents, {}),
                       base_ / "twice.safetensors");
        app::saveTrace(*run, app::everyAnalysis(*engine_, recorded_, *run, {}, std::nullopt, {}),
                       base_ / "again.safetensors"); // as the window does
        QVERIFY(bytesOf(base_ / "once.safetensors") == bytesOf(base_ / "again.safetensors"));
        QVERIFY(bytesOf(base_ / "once.safetensors") == bytesOf(base_ / "twice.safetensors"));
    }

    void whatWasNotKeptIsSaidWithTheOptionThatKeepsIt() {
        saved("annotated-tiny", aRequest(), base_ / "nothing.safetensors", {});
        const auto both = paragraphOf([&] { engine_->of(recorded_, trace::LensWhat()); });
        QVERIFY(both.contains("headscope-cli trace --attribution, or --lens for what the layers say"));
        QVERIFY(paragraphOf([&] {
                    engine_->of(recorded_, trace::ImportanceWhat());
                }).contains("headscope-cli trace --importance"));
        saved("annotated-tiny", aRequest(), base_ / "lens.safetensors", {.lens = true});
        const auto lens = engine_->of(recorded_, trace::LensWhat());
        QVERIFY(!lens->readings.empty() && lens->attributions.empty());
        QVERIFY(
            QString::fromStdString(lens->whyNoAttribution).contains("headscope-cli trace --attribution."));
    }

    void againstAnotherTokenItIsNotKept() {
        saved("annotated-tiny", aRequest(), base_ / "alone.safetensors");
        auto request = recorded_;
        request.ratherThan = "#7";
        QVERIFY(paragraphOf([&] {
                    engine_->of(request, trace::ImportanceWhat());
                }).contains("--rather-than='#7'"));
        QVERIFY(paragraphOf([&] {
                    engine_->of(request, trace::LensWhat());
                }).contains("--attribution --rather-than='#7'"));
    }

    void ofATraceAgainstATokenTheLayersAreKnownWithoutIt() {
        auto request = aRequest();
        request.ratherThan = "#7";
        const auto computed = saved("annotated-tiny", request, base_ / "against.safetensors").lens;
        QVERIFY(engine_->of(recorded_, trace::LensWhat())->readings.front().front().lead);
        auto alone = recorded_;
        alone.ratherThan.reset();
        const auto lens = engine_->of(alone, trace::LensWhat());
        QVERIFY(!lens->contrast && lens->attributions.empty());
        QVERIFY(!lens->readings.front().front().lead);
        QCOMPARE(lens->readings.front().front().chosenLogProbability,
                 computed->readings.front().front().chosenLogProbability);
    }

    void wordsThatDoNotFitTheRunAreRefused() {
        auto contents = all;
        contents.removal = true;
        saved("annotated-tiny", aRequest(), base_ / "whole.safetensors", contents);
        const auto whole = bytesOf(base_ / "whole.safetensors");
        const auto refused = [&](const char* word, const char* other) {
            auto bytes = whole;
            bytes.replace(word, other);
            QFile file(base_ / "wrong.safetensors");
            file.open(QIODevice::WriteOnly);
            file.write(bytes);
            file.close();
            return paragraphOf([&] { app::readTrace(base_ / "wrong.safetensors"); });
        };
        QVERIFY(refused("encoder.0.0", "encoder.9.0").contains("importance.heads"));
        QVERIFY(refused("decoder-ff.0", "decoder-ff.9").contains("lens.parts"));
        QVERIFY(refused("lens/ranks", "lens/rankz").isEmpty()); // an array that is not there
        QVERIFY(!app::readTrace(base_ / "wrong.safetensors").analyses.lens);
        QVERIFY(refused("removal/orders", "removal/orderz").isEmpty());
        QVERIFY(app::readTrace(base_ / "wrong.safetensors").analyses.removals.empty());
        const auto header = 8 + std::ptrdiff_t(*reinterpret_cast<const std::uint64_t*>(whole.data()));
        const auto json = QJsonDocument::fromJson(whole.mid(8, header - 8)).object();
        for (const char* name : {"removal/orders", "removal/removed"}) {
            auto bytes = whole;
            bytes.data()[header + json[name]["data_offsets"][0].toInt()] = char(100);
            QFile file(base_ / "wrong.safetensors");
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            file.close();
            QVERIFY(paragraphOf([&] { app::readTrace(base_ / "wrong.safetensors"); }).contains(name));
        }
    }

    /// Its log-probability could not be looked up.
    void aContrastTokenOutsideOfTheVocabularyIsAFinding() {
        auto request = aRequest();
        request.ratherThan = "#7";
        request.recording.logProbabilities = true;
        saved("annotated-tiny", request, base_ / "compared.safetensors", {});
        QCOMPARE(app::readTrace(base_ / "compared.safetensors").run->contrast->id, 7);
        auto bytes = bytesOf(base_ / "compared.safetensors");
        const QByteArray key = R"(\"contrast\": {\n    \"id\": )";
        for (const char* id : {"-1", "99"}) {
            auto wrong = bytes;
            const auto at = wrong.indexOf(key);
            QVERIFY(at > 0);
            wrong.replace(at, key.size() + 1, key.left(key.size() - 1) + id); // of the same length
            QFile file(base_ / "wrong.safetensors");
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(wrong);
            file.close();
            QVERIFY(paragraphOf([&] { app::readTrace(base_ / "wrong.safetensors"); }).contains("contrast"));
        }
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, TraceAnalysesTest)
#include "trace_analyses_test.moc"

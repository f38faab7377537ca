#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/models/engine_loader.h"
#include "app/models/resource_folders.h"
#include "app/traces/model_or_trace.h"
#include "app/traces/read_trace.h"
#include "app/traces/trace_arrays.h"
#include "model/trace/refusal.h"
#include "tests/new_file.h"
#include "tests/registered_test.h"

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
    }

    void theLensAndThePartsOfLogitsAreReadBackToTheBit() {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, against);
        const trace::DecodePath decoded{.newTokens = 6};
        const trace::DecodePath reference{.forced = trace::TargetIds{{2, 18, 7}}, .newTokens = 0};
        const trace::DecodePath wentOn{.forced = trace::TargetIds{{2, 18, 7}}, .newTokens = 3};
        for (const auto& path : {decoded, reference, wentOn}) {
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
        QVERIFY(sameBits(read->original, computed->original));
        QVERIFY(sameEffects(*read, *computed));
    }

    void savedAgainItIsTheSameFile() {
        saved("annotated-tiny", aRequest(), base_ / "once.safetensors");
        const auto run = engine_->of(recorded_, trace::RunWhat());
        app::saveTrace(*run, app::traceAnalyses(*engine_, recorded_, *run, all, {}),
                       base_ / "twice.safetensors");
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
        saved("annotated-tiny", aRequest(), base_ / "whole.safetensors");
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

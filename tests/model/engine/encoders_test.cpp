#include <QTemporaryDir>
#include <QTest>

#include "model/trace/answer_span.h"
#include "model/trace/joined.h"
#include "tests/model/engine/engines.h"
#include "tests/model/engine/recordings.h"
#include "tests/model/files/foreign_files.h"
#include "tests/registered_test.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace headscope;
using foreign_files::contains;
using foreign_files::refusalOf;

/// Compares encoders alone with what `transformers` computes (tests/reference/make_encoders.py).
class EncodersTest : public QObject {
    Q_OBJECT

    static trace::Request request(const recordings::Arrays& recorded) {
        trace::SourceIds source{.ids = recordings::integers(recorded, "source_ids")};
        trace::Request request{.recording = {.encoderOutput = true, .logProbabilities = true}};
        if (recorded.contains("padding"))
            request.padding.source = static_cast<int>(recordings::integers(recorded, "padding").front());
        source.ids.resize(source.ids.size() - static_cast<std::size_t>(request.padding.source));
        if (recorded.contains("source_segments")) {
            source.segments = recordings::integers(recorded, "source_segments");
            source.segments.resize(source.ids.size());
        }
        request.source = source;
        return request;
    }

    static std::string folder(const std::string& model) {
        return recordings::folder + "hugging-face/" + model;
    }

  private Q_SLOTS:
    void numbersAreThoseOfTransformers_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("recording");
        for (const std::string folders : {"hugging-face/", "gguf/"})
            for (const auto& entry : std::filesystem::directory_iterator(recordings::folder + folders))
                for (const char* recording : {"trace.npz", "trace-padded.npz"})
                    if (std::filesystem::exists(entry.path() / recording)) {
                        const auto model = folders + entry.path().filename().string();
                        if (!recordings::read(model + "/" + recording).contains("target_ids"))
                            QTest::addRow("%s/%s", model.c_str(), recording)
                                << QString::fromStdString(model) << QString(recording);
                    }
    }

    void numbersAreThoseOfTransformers() {
        QFETCH(QString, model);
        QFETCH(QString, recording);
        const auto engine = engines::start();
        const auto summary = engine->open({.path = recordings::folder + model.toStdString()}, {});
        const auto recorded = recordings::read(model.toStdString() + "/" + recording.toStdString());
        const auto run = engine->of(request(recorded), trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(recorded, *run));
        QVERIFY(run->selfCheck.state() == trace::CheckState::Ok);
        QCOMPARE(summary->answersAtTokens(), recorded.contains("log_probabilities"));
        QCOMPARE(summary->classes > 0, recorded.contains("class_log_probabilities"));
        QCOMPARE(summary->numbers > 0, recorded.contains("numbers"));
        QCOMPARE(summary->tokenPrediction == trace::TokenPrediction::Span,
                 recorded.contains("span_log_probabilities"));
        if (summary->classes > 0 || summary->tokenLabels > 0)
            QCOMPARE(summary->classLabels, (std::vector<std::string>{"negative", "neutral", "positive"}));
    }

    void pairsAreReadWithTheirSegments_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("mask");
        QTest::newRow("segments") << "bert-tiny-masked"
                                  << "[MASK]";
        QTest::newRow("no table of segments") << "distilbert-tiny-masked"
                                              << "[MASK]";
        QTest::newRow("a table of one") << "roberta-tiny-masked"
                                        << "<mask>";
    }

    /// The text that the recording's ids were made from.
    void pairsAreReadWithTheirSegments() {
        QFETCH(QString, model);
        QFETCH(QString, mask);
        const auto engine = engines::start();
        engine->open({.path = folder(model.toStdString())}, {});
        const auto recorded = recordings::read("hugging-face/" + model.toStdString() + "/trace.npz");
        const auto run = engine->of({.source = "my very good cat",
                                     .second = "a " + mask.toStdString() + " dog sat",
                                     .recording = {.encoderOutput = true, .logProbabilities = true},
                                     .candidates = 3},
                                    trace::RunWhat());
        QCOMPARE(trace::idsOf(run->source), recordings::integers(recorded, "source_ids"));
        VERIFY_AGREES(recordings::compareWith(recorded, *run));
        QCOMPARE(run->maskCandidates.size(), 1u);
        const auto& [at, candidates] = *run->maskCandidates.begin();
        QCOMPARE(run->source[at].piece, mask.toStdString());
        QCOMPARE(candidates.size(), 3u);
        const auto row = run->sourceLogProbabilities.row(at);
        QCOMPARE(candidates.front().logProbability, *std::ranges::max_element(row));
        QVERIFY(run->source.front().role == trace::TokenRole::Start);
        QVERIFY(run->source.back().role == trace::TokenRole::End);
        QVERIFY(run->source[1].range.has_value());
        QVERIFY(!run->source[at].range); // its place is in the second text
    }

    void segmentsMustFitTheSource() {
        const auto engine = engines::start();
        engine->open({.path = folder("bert-tiny")}, {});
        const auto refused = [&](std::vector<std::int64_t> segments) {
            return refusalOf([&] {
                engine->of({.source = trace::SourceIds{.ids = {2, 5, 6}, .segments = segments}},
                           trace::RunWhat());
            });
        };
        QCOMPARE(refused({0, 1, 1}), "");
        QVERIFY(contains(refused({0, 1}), {"3 numbers, one a token, from 0 to 1"}));
        QVERIFY(contains(refused({0, 1, 2}), {"3 numbers, up to 2"}));
    }

    /// The same as `convert` writes it, and a random network of its settings.
    void convertedModelsComputeTheSame_data() {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"bert-tiny-masked", "bert-tiny-classes", "roberta-tiny-classes", "distilbert-tiny-masked",
              "electra-tiny-masked", "electra-tiny-replaced", "bert-tiny-labels", "roberta-tiny-labels",
              "distilbert-tiny-answer", "electra-tiny-several", "bert-tiny-number", "roberta-tiny-numbers",
              "bert-tiny-choice", "mpnet-tiny-masked", "t5-gated-tiny-encoder", "deberta-v2-tiny-masked-new",
              "deberta-v2-tiny-classes", "albert-tiny-masked"})
            QTest::newRow(model) << QString(model);
    }

    void convertedModelsComputeTheSame() {
        QFETCH(QString, model);
        QTemporaryDir out;
        const std::string path = out.filePath("model").toStdString();
        const auto engine = engines::start();
        engine->open({.path = folder(model.toStdString())}, {});
        const auto recorded = recordings::read("hugging-face/" + model.toStdString() + "/trace.npz");
        const auto original = engine->of(request(recorded), trace::RunWhat());
        engine->convert(path, files::ElementType::Float32, {});
        const auto summary = engine->open({.path = path}, {});
        const auto run = engine->of(request(recorded), trace::RunWhat());
        QVERIFY(run->encoderOutput == original->encoderOutput);
        QVERIFY(run->sourceLogProbabilities == original->sourceLogProbabilities);
        QCOMPARE(run->classLogProbabilities, original->classLogProbabilities);
        QCOMPARE(run->replacedProbabilities, original->replacedProbabilities);
        QCOMPARE(run->numbers, original->numbers);
        QVERIFY(run->spanLogProbabilities == original->spanLogProbabilities);
        const auto random = engine->open({.path = path + "/config.json", .randomSeed = 1}, {});
        QCOMPARE(random->architecture.size(), summary->architecture.size());
        for (std::size_t i = 1; i < random->architecture.size(); ++i) // all but the format
            QCOMPARE(random->architecture[i], summary->architecture[i]);
        QCOMPARE(random->parameters, summary->parameters);
    }

    /// Every token of the text has its labels, the special ones around it have none.
    void tokensAreLabelled() {
        const auto engine = engines::start();
        engine->open({.path = folder("bert-tiny-labels")}, {});
        const auto run =
            engine->of({.source = "my cat sat", .recording = {.logProbabilities = true}}, trace::RunWhat());
        QCOMPARE(run->source.size(), 5u);
        QCOMPARE(run->maskCandidates.size(), 3u);
        for (const auto& [token, labels] : run->maskCandidates) {
            QVERIFY(token > 0 && token < 4);
            QCOMPARE(labels.size(), 3u);
            const auto row = run->sourceLogProbabilities.row(token);
            for (const auto& [label, logProbability] : labels) {
                QCOMPARE(label.piece, run->model->classLabels.at(label.id));
                QCOMPARE(logProbability, row[label.id]);
            }
            QCOMPARE(labels.front().logProbability, *std::ranges::max_element(row));
        }
        QCOMPARE(run->answers().size(), 3u);
    }

    void theAnswerIsTheMostProbableSpanOfTheSecondText() {
        const auto engine = engines::start();
        engine->open({.path = folder("bert-tiny-answer")}, {});
        const auto run =
            engine->of({.source = "my very good cat", .second = "a dog sat on my mat"}, trace::RunWhat());
        const auto& marks = run->spanLogProbabilities;
        QCOMPARE(marks.rows(), 2u);
        QCOMPARE(marks.columns(), run->source.size());
        const auto span = trace::answerSpan(*run);
        QVERIFY(span.has_value());
        std::optional<trace::AnswerSpan> best;
        for (std::size_t i = *run->secondText; i + 1 < run->source.size(); ++i) // the last is "[SEP]"
            for (std::size_t j = i; j + 1 < run->source.size(); ++j)
                if (const double p = std::exp(double{marks(0, i)} + double{marks(1, j)});
                    !best || p > best->probability)
                    best = trace::AnswerSpan{.first = i, .last = j, .probability = p};
        QVERIFY(span == best);
        std::string words;
        for (std::size_t i = span->first; i <= span->last; ++i)
            words += (words.empty() ? "" : " ") + run->source[i].piece;
        QCOMPARE(trace::textOf(*span, *run), words);
    }

    /// The same word may occur in both texts, and more than once.
    void whatAnAnswerIsComparedWithIsNamedByPlace() {
        const auto engine = engines::start();
        engine->open({.path = folder("bert-tiny-answer")}, {});
        trace::Request request{.source = "the cat", .second = "a dog sat on the mat", .ratherThan = "the"};
        const auto run = engine->of(request, trace::RunWhat());
        QVERIFY(run->contrast.has_value() && trace::TokenIndex(run->contrast->id) >= *run->secondText);
        QCOMPARE(run->source.at(run->contrast->id).piece, std::string("the"));
        request.ratherThan = "#1";
        QCOMPARE(engine->of(request, trace::RunWhat())->contrast->id, 1);
        for (const char* other : {"#99", "film", "#", ""}) {
            request.ratherThan = other;
            QVERIFY_EXCEPTION_THROWN(engine->of(request, trace::RunWhat()), trace::Refusal);
        }
        for (const auto& candidate : trace::candidatesOfEnd(*run, 1))
            QVERIFY(trace::TokenIndex(candidate.token.id) >= *run->secondText);
    }

    void aTextWithoutATokenThatCouldAnswerHasNoAnswer() {
        const auto engine = engines::start();
        engine->open({.path = folder("bert-tiny-answer")}, {});
        const trace::Request request{.source = trace::SourceIds{.ids = {2, 3}}};
        const auto run = engine->of(request, trace::RunWhat());
        QCOMPARE(run->answerKind(), trace::AnswerKind::None);
        QCOMPARE(run->steps(), 0u);
        const auto refusal = refusalOf([&] { engine->of(request, trace::LensWhat()); });
        QVERIFY(contains(refusal, {"no token that could answer"}));
    }

    /// The encoder computes the same without it, and says what it was opened without.
    void aHeadThatIsNotSupportedIsLeftOut() {
        const auto engine = engines::start();
        const auto summary = engine->open({.path = folder("bert-tiny-choice")}, {});
        QCOMPARE(summary->otherHead, std::string("BertForMultipleChoice"));
        QVERIFY(summary->hasNoHead());
        const auto ignored = trace::joined(summary->ignoredTensors);
        QVERIFY(contains(ignored, {"classifier.weight", "pooler.dense.weight"}));
        QCOMPARE(engine->open({.path = folder("bert-tiny")}, {})->otherHead, std::string());
    }

    void variantsAreRefusedByName_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value"); // JSON
        QTest::addColumn<bool>("isRefused");
        const auto row = [](const char* model, const char* key, const char* value, bool isRefused) {
            QTest::addRow("%s %s %s", model, key, value) << model << key << value << isRefused;
        };
        row("bert-tiny-classes", "is_decoder", "false", false);
        row("bert-tiny-classes", "is_decoder", "true", true);
        row("bert-tiny-classes", "position_embedding_type", "\"relative_key\"", true);
        row("bert-tiny-classes", "architectures", "[\"BertForNextSentencePrediction\"]", false);
        row("bert-tiny-classes", "problem_type", "\"regression\"", false);
        row("bert-tiny-classes", "problem_type", "\"ranking\"", true);
        row("deberta-v2-tiny", "conv_kernel_size", "3", true);
        row("deberta-v2-tiny", "share_att_key", "false", true);
        row("deberta-v2-tiny", "norm_rel_ebd", "\"none\"", true);
        row("deberta-v2-tiny", "position_biased_input", "true", true);
        row("deberta-v2-tiny", "pos_att_type", "[\"c2p\"]", true);
        row("deberta-v2-tiny", "pos_att_type", "\"p2c|c2p\"", false);
    }

    void variantsAreRefusedByName() {
        QFETCH(QString, model);
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(bool, isRefused);
        QTemporaryDir copy;
        const auto path = std::filesystem::path(copy.filePath("model").toStdString());
        std::filesystem::copy(folder(model.toStdString()), path);
        auto config = recordings::readJson("hugging-face/" + model.toStdString() + "/config.json");
        config[key.toStdString()] = nlohmann::json::parse(value.toStdString());
        std::ofstream(path / "config.json") << config.dump();
        const auto refusal = refusalOf([&] { engines::start()->open({.path = path}, {}); });
        if (isRefused)
            QVERIFY2(refusal.find(key.toStdString()) != refusal.npos, refusal.c_str());
        else
            QCOMPARE(refusal, std::string());
    }
};

HEADSCOPE_TEST_IN(QCoreApplication, EncodersTest)
#include "encoders_test.moc"

#include "tests/model/engine/recorded_request.h"
#include "tests/registered_test.h"

#include "model/trace/missing_settings.h"

#include <filesystem>

using namespace headscope;
using trace::CheckState;

namespace {

bool sameMasks(const trace::Run& run, const recordings::Arrays& recorded) {
    for (const std::string site : {"encoder_self", "decoder_self", "cross"}) {
        if (!recorded.contains(site + "/mask"))
            continue;
        const auto& bytes = recorded.at(site + "/mask").bytes;
        if (!std::ranges::equal(bytes, recordings::maskOf(run, site),
                                [](std::byte a, std::uint8_t b) { return std::to_integer<int>(a) == b; }))
            return false;
    }
    return true;
}

} // namespace

class LibtorchEngineTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyArrayOfEveryTinyRecordingAgrees_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("recording");
        for (const auto& folder : std::filesystem::directory_iterator(recordings::folder))
            for (const char* recording : {"trace.npz", "trace-padded.npz"})
                if (const auto name = folder.path().filename().string();
                    std::filesystem::exists(folder.path() / recording))
                    QTest::addRow("%s/%s", name.c_str(), recording)
                        << QString::fromStdString(name) << recording;
    }
    void everyArrayOfEveryTinyRecordingAgrees() {
        QFETCH(const QString, model);
        QFETCH(const QString, recording);
        const auto recorded = recordings::read((model + "/" + recording).toStdString());
        const auto run = engines::with(recordings::folder + model.toStdString())
                             ->of(recordings::requestOf(model.toStdString(), recorded), trace::RunWhat());
        VERIFY_AGREES(recordings::compareWith(recorded, *run));
        QVERIFY(sameMasks(*run, recorded));
        if (recorded.contains("source_ids"))
            QCOMPARE(idsOf(run->source), recordings::integers(recorded, "source_ids"));
        QCOMPARE(idsOf(run->target), recordings::integersIn(recorded, "target_ids"));
        QCOMPARE(idsOf(run->next), recordings::integersIn(recorded, "next_ids"));
        QVERIFY(run->selfCheck.state() == CheckState::Ok);
        QVERIFY(run->complete);
    }

    void everyRecordedModelIsTheSameOnceConverted_data() {
        QTest::addColumn<QString>("model");
        for (const auto& folder : std::filesystem::directory_iterator(recordings::folder))
            if (const auto name = folder.path().filename().string();
                std::filesystem::exists(folder.path() / "trace.npz"))
                QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    }
    void everyRecordedModelIsTheSameOnceConverted() {
        QFETCH(const QString, model);
        const auto recorded = recordings::read(model.toStdString() + "/trace.npz");
        const auto request = recordings::requestOf(model.toStdString(), recorded);
        const QTemporaryDir folder;
        const auto original = engines::with(recordings::folder + model.toStdString());
        original->convert(folder.path().toStdString(), files::ElementType::Float32, {});
        const auto again = engines::with(folder.path().toStdString());
        QVERIFY(engines::sameBits(*original->of(request, trace::RunWhat()),
                                  *again->of(request, trace::RunWhat())));
    }

    void oneCandidateIsTheFirstOfTen() {
        const auto engine = engines::with(recordings::folder + "annotated-tiny");
        auto request = engines::greedy({4, 5, 6, 3});
        request.candidates = 1;
        const auto one = engines::outputOf(*engine->of(request, trace::RunWhat()));
        request.candidates = 10;
        QCOMPARE(one, engines::outputOf(*engine->of(request, trace::RunWhat())));
    }

    void greedyOutputsAreTheRecordedOnes_data() { recordings::eachFolderWith("greedy.json"); }
    void greedyOutputsAreTheRecordedOnes() {
        QFETCH(const QString, model);
        const auto json = recordings::readJson(model.toStdString() + "/greedy.json");
        const auto engine = engines::with(recordings::folder + model.toStdString());
        for (const auto& output : tests::some(json.at("outputs"))) {
            const auto run =
                engine->of(engines::greedy(output.at("source_ids"), json.at("longest")), trace::RunWhat());
            QCOMPARE(engines::outputOf(*run), output.at("output_ids").get<std::vector<std::int64_t>>());
            QVERIFY(run->selfCheck.state() == CheckState::Ok);
        }
    }

    /// The reference outputs use the bundled weights in half precision.
    void theBundledModelAgreesWithPyTorch_data() {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("short") << "The dogs are hungry.";
        QTest::newRow("question") << "Where did you put the keys to the old garden gate?";
        QTest::newRow("numbers") << "At 7:45, we were waiting for 20 people (most of them students)!";
        QTest::newRow("umlaut") << QString::fromUtf8("Mr. Müller lives with his two sisters.");
        QTest::newRow("emoji") << QString::fromUtf8("I love this song 😀, please play it again.");
        QTest::newRow("long") << "My grandmother told me that, when she was young, she walked to school "
                                 "every day even if it was snowing.";
    }
    void theBundledModelAgreesWithPyTorch() {
        QFETCH(const QString, sentence);
        const auto recorded =
            recordings::read(std::string("tatoeba-en-de/") + QTest::currentDataTag() + ".npz");
        const auto engine = engines::with(engines::trained);
        const auto run = engine->of({.source = sentence.toStdString()}, trace::RunWhat());
        if (recorded.contains("source_ids"))
            QCOMPARE(idsOf(run->source), recordings::integers(recorded, "source_ids"));
        QCOMPARE(idsOf(run->target), recordings::integersIn(recorded, "target_ids"));
        QCOMPARE(idsOf(run->next), recordings::integersIn(recorded, "next_ids"));
        for (const std::string site : {"encoder_self", "decoder_self", "cross"})
            for (const char* part : {"/weights", "/scores"})
                VERIFY_AGREES(
                    recordings::compareWith(recorded, site + part, recordings::floatsOf(*run, site + part)));
        QVERIFY(run->selfCheck.state() == CheckState::Ok);
    }

    void aTrialLeavesTheOpenModelAsItIs() {
        const auto engine = engines::with(engines::tiny);
        const auto before = engine->of(engines::greedy({5, 6, 7}), trace::RunWhat());
        const auto trial = engine->tryOut({.path = engines::trained}, "The old man laughed.", {});
        QVERIFY(trial && trial->output.starts_with("Der alte Mann"));
        const auto run =
            engines::with(engines::trained)
                ->of({.source = "The old man laughed.", .paths = {{.newTokens = 16}}}, trace::RunWhat());
        const auto tokens = static_cast<double>(engines::outputOf(*run).size());
        QCOMPARE(trial->meanLogProbability, run->tree.logProbability(run->path.back()) / tokens);
        QCOMPARE(trial->output, run->output);
        QVERIFY(engines::sameBits(*before, *engine->of(engines::greedy({5, 6, 7}), trace::RunWhat())));
    }

    void aWrongNumberOfHeadsMakesAModelLessSureOfItsWords() {
        const auto engine = engines::start();
        const auto with = [&](const char* heads) {
            return engine
                ->tryOut({.path = engines::trained, .settings = {{"heads", heads}}},
                         "I don't know who wrote this letter, but I like it.", {})
                ->meanLogProbability;
        };
        const double right = with("8");
        for (const char* wrong : {"1", "2", "4", "16", "64"})
            QVERIFY(with(wrong) < right);
    }

    void whereThereIsNoTokenizerATrialSaysIds() {
        const auto trial = engines::start()->tryOut({.path = engines::tiny}, "not read", {});
        QVERIFY(trial && QString::fromStdString(trial->output).split(' ').first().toInt() > 0);
        QVERIFY(!engines::start()->tryOut({.path = recordings::folder + "torch-encoder-tiny"}, "", {}));
    }

    void whatOnlyDecodingNeedsIsAskedForOnRequest() {
        const QTemporaryDir folder;
        const auto weights = std::filesystem::path(folder.path().toStdString()) / "model.pt";
        std::filesystem::copy(engines::tiny + "/model.pt", weights);
        engine::ModelSource source{.path = weights, .settings = {{"heads", "3"}}};
        const auto engine = engines::start();
        QVERIFY(engine->open(source, {}) != nullptr);
        source.toDecode = true;
        try {
            engine->open(source, {});
            QFAIL("it was opened");
        } catch (const trace::MissingSettings& missing) {
            QCOMPARE(missing.settings().front().key, std::string("start_id"));
        }
    }

    void aMultilingualModelSaysItsLanguagesAndReadsTheCodeAsOneToken() {
        const auto engine = engines::start();
        const auto model = engine->open({.path = recordings::folder + "marian-tiny"}, {});
        QCOMPARE(model->targetLanguages, (std::vector<std::string>{"de", "fr"}));
        const auto run = engine->of({.source = std::string(">>fr<< hello"), .paths = {{.newTokens = 1}}},
                                    trace::RunWhat());
        QCOMPARE(run->source.front().piece, std::string(">>fr<<"));
        QVERIFY(engine->open({.path = engines::trained}, {})->targetLanguages.empty());
    }
};

HEADSCOPE_TEST(LibtorchEngineTest)
#include "libtorch_engine_test.moc"

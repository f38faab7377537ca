#include "tests/model/training/small_training.h"
#include "tests/registered_test.h"

#include <QTest>

#include <functional>

using namespace small_training;

class OriginTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    TrainingConfig begun() const {
        auto config = copying(folder_, "begun");
        config.steps = 5;
        return config;
    }

  private Q_SLOTS:
    void initTestCase() { run(begun()); }

    void whatATrainingBeganWithMayNotChange() {
        const std::vector<std::pair<const char*, std::function<void(TrainingConfig&)>>> changes{
            {"network", [](auto& config) { config.network["norm"] = "post"; }},
            {"vocabulary", [](auto& config) { config.vocabulary.size = 20; }},
            {"corpus", [](auto& config) { config.corpus.toy.seed = 9; }},
            {"validation corpus", [](auto& config) { config.corpus.validSentences = 39; }},
            {"batch_tokens", [](auto& config) { config.batches.tokens = 99; }},
            {"seed", [](auto& config) { config.seed = 5; }},
            {"average", [](auto& config) { config.averaging.every = 21; }}};
        for (const auto& [what, change] : changes) {
            auto config = begun();
            change(config);
            const auto refusal = refusalOf(config);
            QVERIFY2(refusal.found.find(what) != std::string::npos, (what + refusal.found).c_str());
        }
    }

    void whatOnlySaysHowLongAndHowOftenMay() {
        auto config = begun();
        config.steps = 7;
        config.validateEvery = 3;
        config.saveSeconds = 1;
        config.samples = {"w1 w2"};
        config.patience = 3;
        config.dropout = 0.1;
        QCOMPARE(run(config).step, std::int64_t{7});
    }

    void bothSidesHaveWordsInTheOrderOfTheirFrequency() {
        headscope::files::saveAtomically(folder_.filePath("pairs.tsv").toStdString(),
                                         std::string_view("a b a\tx y\na\ty y z\nb a\ty\n"));
        auto config = begun();
        config.corpus.task = Task::Translate;
        config.corpus.train = folder_.filePath("pairs.tsv").toStdString();
        config.corpus.valid = config.corpus.train;
        config.steps = 1;
        const auto wordsOf = [&](const char* name, bool shared, const char* file) {
            config.vocabulary.shared = shared;
            config.model = folder_.filePath(name).toStdString();
            config.state = config.model.string() + ".training";
            run(config);
            return bytes(config.state / file);
        };
        const std::string special = "<pad>\n<unk>\n<s>\n</s>\n";
        QCOMPARE(wordsOf("apart", false, "source-vocabulary.txt"), special + "a\nb\n");
        QCOMPARE(bytes(config.state / "target-vocabulary.txt"), special + "y\nx\nz\n");
        QCOMPARE(wordsOf("shared", true, "vocabulary.txt"), special + "a\ny\nb\nx\nz\n");
    }

    void aVocabularyIsKeptWhileItsCorpusStaysTheSame() {
        auto config = copying(folder_, "killed");
        config.steps = 5;
        struct Killed {};
        const auto kill = [](const TrainingProgress& progress) {
            if (progress.message.empty())
                throw Killed();
        };
        QVERIFY_EXCEPTION_THROWN(run(config, 1, {}, kill), Killed);
        const auto path = config.state / "vocabulary.txt";
        QVERIFY(!std::filesystem::exists(config.state / "state.safetensors"));
        const auto made = std::filesystem::last_write_time(path);
        QVERIFY_EXCEPTION_THROWN(run(config, 1, {}, kill), Killed);
        QVERIFY(std::filesystem::last_write_time(path) == made);
        config.vocabulary.size = 10;
        QVERIFY_EXCEPTION_THROWN(run(config, 1, {}, kill), Killed);
        const auto words = bytes(path);
        QCOMPARE(std::count(words.begin(), words.end(), '\n'), std::ptrdiff_t{10});
    }

    void aVocabularyThatNothingWasTrainedWithIsMadeAgain() {
        auto config = copying(folder_, "unbegun");
        config.steps = 5;
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY_EXCEPTION_THROWN(run(config, 1, stopped.get_token()), Cancelled);
        config.vocabulary.size = 10;
        QVERIFY(!std::filesystem::exists(config.state / "state.safetensors"));
        run(config);
        const auto words = bytes(config.state / "vocabulary.txt");
        QCOMPARE(std::count(words.begin(), words.end(), '\n'), std::ptrdiff_t{10});
    }
};

HEADSCOPE_TEST(OriginTest)
#include "origin_test.moc"
